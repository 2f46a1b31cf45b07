import type { Work } from "../src/protocol";

/** Work in a folder, with what a test is about. */
export function workOf(changes: Partial<Work>): Work {
  return {
    session_id: "s", execution_id: "", plan_uri: "", plan_path: "", goal: "", mode: "plan", step: 0, action: "", of: 0, finished: 0, state: "idle", activity: "",
    since: "", started_at: "", reason: "", code: "", repair: 0, repairs: 0, question_id: "", calls: [], retry: null, files: 0, comments: 0, elsewhere: false, status_text: "Plan", title: "", text: "", ...changes,
  };
}
