/** Operations as plans: new contents of files, computed in memory from what is there. */
export { planEdit, type PlanContext, planWithNotes } from "./plan-edit.ts";
export type { ProjectUses } from "./project-uses.ts";
