import type { Statement } from "../../store/index.ts";

const one = "scope_id = :scope AND run_id = :run";
const task = `${one} AND plan = :plan AND number = :number`;

export const insertRun: Statement = {
  sql: `INSERT INTO runs (scope_id, id, name, state, reason, actor, source, worktree, branch, base, own,
      options, created_at, updated_at, wants_pause, input_tokens, output_tokens, cost_micros, fence)
    VALUES (:scope, :run, :name, :state, '', :actor, :source, :worktree, :branch, :base, :own,
      :options, :now, :now, 'no', 0, 0, 0, 0)`,
};
export const insertPlan: Statement = {
  sql: `INSERT INTO run_plans (scope_id, run_id, plan, number, state, reason, content, source, ended_at)
    VALUES (:scope, :run, :plan, :number, :state, :reason, :content, :source, :ended)`,
};
export const insertTask: Statement = {
  sql: `INSERT INTO run_tasks (scope_id, run_id, plan, number, name, state, reason, commit_id, tries,
      touched, rescues)
    VALUES (:scope, :run, :plan, :number, :name, :state, '', :commit, 0, 0, '[]')`,
};
export const insertAgent: Statement = {
  sql: `INSERT INTO run_agents (scope_id, run_id, id, plan, task, status, started_at, input_tokens,
      output_tokens)
    VALUES (:scope, :run, :agent, :plan, :task, 'spawned', :now, 0, 0)`,
};
export const restoreAgent: Statement = {
  sql: `INSERT INTO run_agents (scope_id, run_id, id, plan, task, status, started_at, ended_at, exit,
      problem, input_tokens, output_tokens)
    VALUES (:scope, :run, :agent, :plan, :task, :status, :started, :ended, :exit, :problem, 0, 0)`,
};
export const insertNote: Statement = {
  sql: `INSERT INTO run_notes (scope_id, run_id, number, kind, plan, task, text, at)
    VALUES (:scope, :run, :number, :kind, :plan, :task, :text, :now)`,
};

export const selectRun: Statement = {
  sql: "SELECT * FROM runs WHERE scope_id = :scope AND id = :run",
};
export const selectRuns: Statement = {
  sql: "SELECT * FROM runs WHERE scope_id = :scope ORDER BY id DESC LIMIT :count",
};
export const selectPlans: Statement = {
  sql: `SELECT * FROM run_plans WHERE ${one} ORDER BY number`,
};
export const selectTasks: Statement = {
  sql: `SELECT * FROM run_tasks WHERE ${one} ORDER BY plan, number`,
};
export const selectTask: Statement = { sql: `SELECT * FROM run_tasks WHERE ${task}` };
/** Newest first. */
export const selectAgents: Statement = {
  sql: `SELECT * FROM run_agents WHERE ${one} ORDER BY id DESC LIMIT :count`,
};
export const selectNotes: Statement = {
  sql: `SELECT * FROM run_notes WHERE ${one} ORDER BY number`,
};
export const lastNote: Statement = {
  sql: `SELECT COALESCE(MAX(number), 0) AS last FROM run_notes WHERE ${one}`,
};

const run = "WHERE scope_id = :scope AND id = :run";
export const touchRun: Statement = { sql: `UPDATE runs SET updated_at = :now ${run}` };
export const updateRun: Statement = {
  sql: `UPDATE runs SET state = :state, reason = :reason, ended_at = :ended, updated_at = :now ${run}`,
};
export const updateFence: Statement = {
  sql: `UPDATE runs SET fence = :fence ${run} AND fence <= :fence`,
};
export const updateOptions: Statement = { sql: `UPDATE runs SET options = :options ${run}` };
export const updatePause: Statement = { sql: `UPDATE runs SET wants_pause = :wanted ${run}` };
export const updateRollback: Statement = { sql: `UPDATE runs SET rollback = :commit ${run}` };
export const addSpent: Statement = {
  sql: `UPDATE runs SET input_tokens = input_tokens + :input, output_tokens = output_tokens + :output,
    cost_micros = cost_micros + :cost ${run}`,
};
export const updatePlan: Statement = {
  sql: `UPDATE run_plans SET state = :state, reason = :reason, ended_at = :ended,
    started_at = COALESCE(started_at, :started)
    WHERE ${one} AND plan = :plan`,
};
export const updateTask: Statement = {
  sql: `UPDATE run_tasks SET state = :state, reason = :reason, operation = :operation,
    commit_id = :commit, parent = :parent, tries = :tries, touched = :touched, rescues = :rescues,
    started_at = :started, ended_at = :ended
    WHERE ${task}`,
};
export const updateAgent: Statement = {
  sql: `UPDATE run_agents SET status = :status, ended_at = :now, exit = :exit, problem = :problem,
    input_tokens = :input, output_tokens = :output, cost_micros = :cost
    WHERE ${one} AND id = :agent`,
};
export const answerNote: Statement = {
  sql: `UPDATE run_notes SET answer = :answer, answered_at = :now
    WHERE ${one} AND number = :number AND kind IN ('question', 'action')`,
};
export const deleteRun: readonly Statement[] = [
  ...["run_notes", "run_agents", "run_tasks", "run_plans"].map((table) => ({
    sql: `DELETE FROM ${table} WHERE ${one}`,
  })),
  { sql: `DELETE FROM runs ${run}` },
];
