export { planEdit, type PlanContext } from "./plan-edit.ts";
