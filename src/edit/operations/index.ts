/** Operations as plans: new contents of files, computed in memory from what is there. */
export { planEdit, type PlanContext } from "./plan-edit.ts";
