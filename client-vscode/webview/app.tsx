// The whole view: header, transcript, questions that wait, and the place to write.
import { folderName, type Chat } from "./chat";
import { Composer } from "./composer";
import { Header } from "./header";
import { QuestionCard } from "./question_card";
import { useView, type Store, type Trouble } from "./store";
import { Transcript } from "./transcript";
import { Missing } from "./welcome";

export function App({ store }: { readonly store: Store }) {
  const { chat, told, trouble } = useView(store);
  const isEnabled = chat.condition === "running";
  return (
    <>
      <Header store={store} chat={chat} />
      <Transcript store={store} chat={chat} told={told} />
      <Missing store={store} chat={chat} />
      {trouble && <TroubleBar store={store} trouble={trouble} />}
      <Questions store={store} chat={chat} />
      <Composer store={store} sessionId={chat.session?.id ?? ""} isWorking={chat.isRunning} isEnabled={isEnabled} />
    </>
  );
}

function Questions({ store, chat }: { readonly store: Store; readonly chat: Chat }) {
  const own = chat.session?.id;
  const sets = [...chat.questions].sort((a, b) => Number(b.session_id === own) - Number(a.session_id === own));
  const count = sets.length;
  return (
    <>
      <p className="unseen" role="status">
        {count > 0 && `${count} ${count === 1 ? "question waits" : "questions wait"} for your answer.`}
      </p>
      {count > 0 && (
        <div className="waiting" role="region" aria-label="Questions">
          {sets.map((set) => (
            <div key={set.question_id} className="asked-in">
              {set.folder !== chat.folder && folderName(chat, set.folder) && <p className="detail">In {folderName(chat, set.folder)}</p>}
              <QuestionCard store={store} set={set} />
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function TroubleBar({ store, trouble }: { readonly store: Store; readonly trouble: Trouble }) {
  const needsModel = trouble.code === "MODEL_NOT_CHOSEN" || trouble.code === "MODEL_UNKNOWN" || trouble.code === "MODEL_NO_CREDIT";
  const needsKey = trouble.code === "MODEL_KEY_MISSING" || trouble.code === "MODEL_KEY_REFUSED";
  return (
    <div className="trouble" role="alert">
      <p>{trouble.message}</p>
      <div className="buttons">
        {needsModel && <vscode-button onClick={() => void store.call("editor/chooseModel", null)}>Choose Model</vscode-button>}
        {needsKey && <vscode-button onClick={() => void store.call("editor/prepare", "setKey")}>Set Key</vscode-button>}
        <vscode-button secondary onClick={() => { store.forgetTrouble(); }}>Close</vscode-button>
      </div>
    </div>
  );
}
