// What becomes of a text that the user sends: an answer to what the dock asks, a wish for the plan that waits there, or a message.
import type { Image } from "../src/protocol";
import type { Chat } from "./chat";
import type { DockCard } from "./dock_cards";
import { isLeave } from "./question";
import type { Store } from "./store";

const REJECT = "reject_once";

/** False when it was not taken. */
export async function sendText(store: Store, chat: Chat, first: DockCard | undefined, text: string, images: readonly Image[]): Promise<boolean> {
  const session = chat.session?.id ?? "";
  const isPlain = images.length === 0 && !text.startsWith("/");
  if (isPlain && first?.kind === "question" && first.set.session_id === session && isLeave(first.set)) {
    const [question] = first.set.questions;
    const args = { question_id: first.set.question_id, answers: { [question?.name ?? ""]: REJECT }, comment: text };
    return (await store.call("planact.answerQuestion", args)) !== undefined;
  }
  if (isPlain && first?.kind === "plan" && first.work.comments > 0) {
    return (await store.call("planact.revisePlan", { uri: first.work.plan_uri, feedback: text })) !== undefined;
  }
  return store.send(session, text, images);
}
