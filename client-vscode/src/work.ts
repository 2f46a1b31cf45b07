// Until protocol.ts has it.
import type { Mode } from "./protocol";
export interface Work {
  session_id: string; execution_id: string; plan_uri: string; plan_path: string; goal: string;
  mode: Mode; step: number; action: string; of: number; finished: number;
  state: "idle" | "working" | "running" | "repairing" | "waiting_approval" | "waiting_question" | "retrying" | "stopping" | "to_review" | "changed" | "outdated" | "no_answer" | "failed" | "paused" | "interrupted" | "done" | "partly" | "nothing_done" | "rolled_back";
  activity: string; since: string; started_at: string; reason: string; code: string; question_id: string;
  files: number; comments: number; elsewhere: boolean; status_text: string; title: string; text: string;
}
