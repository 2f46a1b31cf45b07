// What goes on at the end of the conversation: thoughts, words as they come, the call in hand, a wait for the model.
import type { ModelRetry } from "../src/protocol";
import { isWorking, type Chat, type Stream } from "./chat";
import { Icon, Spinner } from "./icons";
import { useNow } from "./since";
import type { Store } from "./store";
import { NOTHING } from "./stream";
import { Line, Text } from "./text";
import { spanOf } from "./work";
import type { Work } from "../src/protocol";

export function Now({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  const { stream, work } = chat;
  const isAsked = work.state === "waiting_approval" || work.state === "waiting_question" || chat.questions.some(({ session_id: session }) => session === chat.session?.id);
  const waits = chat.retry ?? work.retry;
  const retry = waits && waits.seconds_left > 0 ? waits : null;
  return (
    <>
      {stream && stream.written !== NOTHING && <Writing stream={stream} />}
      {isWorking(chat) && !isAsked && (retry ? <Retry store={store} chat={chat} retry={retry} /> : <Doing stream={stream} work={work} />)}
    </>
  );
}

/** An answer as it comes: what stands is left alone. It is read out when it is complete. */
function Writing({ stream: { written } }: { readonly stream: Stream }) {
  return (
    <div className="said" aria-live="off">
      {[...written.whole, written.shown].map((piece, index) => (
        <Text key={index} text={piece} />
      ))}
      {written.rest && <pre className={written.fence ? "rest" : "rest plain"}>{written.rest}</pre>}
    </div>
  );
}

function Doing({ stream, work }: { readonly stream: Stream | null; readonly work: Work }) {
  const calls = work.calls.filter(({ tool }) => tool !== "ask_user" && tool !== "exit_plan_mode");
  if (calls.length > 0) {
    return calls.map(({ call_id: id, text }) => (
      <p key={id} className="doing">
        <Spinner />
        <span className="text">
          <Line text={text} />
        </span>
      </p>
    ));
  }
  if (stream && stream.written !== NOTHING) return null;
  if (stream?.reasoning) return <Thinking reasoning={stream.reasoning} since={stream.thinkingSince} />;
  const since = Date.parse(work.since);
  if (work.state === "stopping") return <Progress text="Stops after this call" />;
  if (work.activity === "checking") return <Progress text="Running the checks" since={since} />;
  return <Progress text="Thinking" since={since} />;
}

function Progress({ text, since = Number.NaN }: { readonly text: string; readonly since?: number }) {
  const now = useNow(Number.isFinite(since));
  const seconds = Math.floor((now - since) / 1000);
  return (
    <p className="doing">
      <Spinner />
      <span className="text">
        {text}
        {seconds > 0 && ` · ${spanOf(seconds)}`}
      </span>
    </p>
  );
}

/** The last lines of what the model thinks, at one height. */
function Thinking({ reasoning, since }: { readonly reasoning: string; readonly since: number }) {
  const tail = reasoning.slice(-TAIL).replace(/\s+/g, " ");
  return (
    <div className="thinking">
      <Progress text="Thinking" since={since} />
      <div className="tail" aria-hidden="true">
        <div>{tail}</div>
      </div>
    </div>
  );
}

const TAIL = 400;

/** It counts down as the server tells it, once a second. */
function Retry({ store, chat, retry }: { readonly store: Store; readonly chat: Chat; readonly retry: ModelRetry }) {
  const session = { folder: chat.folder, session_id: retry.session_id };
  return (
    <p className="doing retry" title={retry.detail}>
      <Icon name="watch" />
      <span className="text">
        <Line text={retry.short_text} />
      </span>
      <button type="button" className="link" onClick={() => void store.call("planact.retryNow", session)}>
        Try Now
      </button>
    </p>
  );
}
