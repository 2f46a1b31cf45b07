// Whether a call may be made: what would change, why it is asked, and yes or no with what else each can mean.
import type { Option, Question } from "../src/protocol";
import { countsOf, isLongDifference } from "../src/text";
import { Button } from "./button";
import { Card } from "./card";
import { Problem, Title, Reason, type CardProps } from "./question_card";
import type { Store } from "./store";

const [ALLOW, REJECT] = ["allow_once", "reject_once"];

export function ApprovalCard({ store, set, question, asking, pager, place }: CardProps & { readonly store: Store; readonly question: Question }) {
  const { question_id: id, edits } = set;
  const counts = countsOf(question.context);
  const isLong = isLongDifference(set);
  const show = (isAll: boolean) => void store.command(isAll ? "showAllFiles" : "showNextFile", { question: id });
  const give = ({ value }: Option) => void asking.answer({ [question.name]: value });
  const allow = question.options.find(({ value }) => value === ALLOW);
  const reject = question.options.find(({ value }) => value === REJECT);
  const others = question.options.filter((option) => option !== allow && option !== reject);
  const action = (option: Option) => ({ label: option.label, act: () => { give(option); } });
  const always = others.filter(({ variant }) => variant !== "danger");
  const described = always.filter(({ description }) => description);
  return (
    <Card
      name="Question"
      id={id}
      edge="major"
      title={<Title question={question} />}
      aside={
        <>
          {counts && <span className="muted">{`+${counts.added} −${counts.removed}`}</span>}
          {pager}
        </>
      }
      buttons={
        <>
          {allow && (
            <Button rank="primary" onClick={() => { give(allow); }} more={always.map(action)}>
              {edits.length > 1 ? `Allow All ${edits.length} Files` : "Allow"}
            </Button>
          )}
          {reject && (
            <Button rank="secondary" onClick={() => { give(reject); }} more={others.filter(({ variant }) => variant === "danger").map(action)}>
              Reject
            </Button>
          )}
          {edits.length > 0 && (
            <Button rank="link" onClick={() => { show(false); }} more={edits.length > 1 ? [{ label: `All ${edits.length} Files`, act: () => { show(true); } }] : []}>
              Open Diff
            </Button>
          )}
        </>
      }
    >
      {place}
      {isLong ? <Reason question={{ ...question, context: "" }} /> : <Reason question={question} />}
      {isLong && <p className="muted">The difference is too long for here: Open Diff shows it in the editor.</p>}
      {described.map(({ label, description }) => (
        <p key={label} className="muted">
          {label}: {description}
        </p>
      ))}
      <Problem fault={asking.fault} />
    </Card>
  );
}
