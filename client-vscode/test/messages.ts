import type { Message, Session, Status } from "../src/protocol";

export const USAGE = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cache_written_tokens: 0, reasoning_tokens: 0, cost: 0, requests: 0, is_estimated: false, by_model: {}, by_purpose: {} };
export const SESSION: Session = { id: "s", title: "", mode: "plan", role: "planner", plan_file: "", made_plans: [], model: "", usage: USAGE, created_at: "", updated_at: "" };
export const STATUS: Status = { version: "", folder: "file:///web", session: SESSION, mode: "plan", model: "m", context_window: 0, is_running: false, open_questions: 0, is_trusted: true, fingerprint: "", folders: [], sandbox: "", mcp_servers: [], missing: "", is_restricted: false, half_rolled_back: [], half_made: [], work: null, works: [] };

let lastId = 0;

/** Each has a later id than the one before. */
export function message(changes: Partial<Message>): Message {
  lastId += 1;
  return { id: String(lastId).padStart(6, "0"), session_id: "s", role: "assistant", content: "", message_type: "text", tool_calls: [], tool_call_id: "", reasoning: "", thinking_blocks: [], model: "", images: [], pictures: [], usage: null, metadata: {}, created_at: "", ...changes };
}

export function calls(...names: string[]): Message {
  return message({ message_type: "tool_call", tool_calls: names.map((name, index) => ({ id: `${name}${index}`, name, arguments: `{"path": "${index}.py"}` })) });
}

export function result(id: string, content: string, metadata: Message["metadata"] = {}): Message {
  return message({ role: "tool", message_type: "tool_result", tool_call_id: id, content, metadata });
}

export function system(content: string, metadata: Message["metadata"], type: Message["message_type"] = "text"): Message {
  return message({ role: "system", content, metadata, message_type: type });
}
