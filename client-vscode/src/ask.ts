// Asks a set of questions one after the other, with lists and input boxes.
import { formOf, textOf, valueOf, type Choice } from "./forms";
import type { Question, QuestionPending } from "./protocol";
import * as ui from "./ui";

type Answer = { readonly value: unknown } | undefined;

/**
 * The answers by name, or undefined when the user went away from one of them.
 * `earlier` are those given before, and `problem` what was wrong with them.
 */
export async function ask(
  { questions }: QuestionPending,
  earlier: Readonly<Record<string, unknown>>,
  problem: string,
): Promise<Record<string, unknown> | undefined> {
  const answers: Record<string, unknown> = {};
  for (const [index, question] of questions.entries()) {
    const place = questions.length > 1 ? ` (${index + 1} of ${questions.length})` : "";
    const preset = question.name in earlier ? earlier[question.name] : question.default;
    const answer = await askOne(question, `${question.question}${place}`, preset, problem);
    if (!answer) return undefined;
    answers[question.name] = answer.value;
  }
  return answers;
}

async function askOne(question: Question, title: string, preset: unknown, problem: string): Promise<Answer> {
  const form = formOf(question);
  const prompt = problem || question.context;
  switch (form.kind) {
    case "one":
      return askChoice(question, form.choices, form.allowsOther, title, preset, prompt);
    case "many":
      return askMany(form.choices, form.allowsOther, title, preset, prompt);
    case "text":
      return askText(question, title, preset, prompt || form.hint);
  }
}

async function askChoice(
  question: Question,
  choices: readonly Choice[],
  allowsOther: boolean,
  title: string,
  preset: unknown,
  prompt: string,
): Promise<Answer> {
  const presetFirst = [...choices].sort((a, b) => Number(same(b.value, preset)) - Number(same(a.value, preset)));
  const items: (ui.Item & { choice?: Choice })[] = presetFirst.map((choice) => ({
    label: choice.label,
    description: same(choice.value, preset) ? "default" : "",
    detail: choice.description,
    choice,
  }));
  if (allowsOther) items.push({ label: "Other…" });
  const picked = await ui.pick(items, { title, placeHolder: prompt, ignoreFocusOut: true });
  if (!picked) return undefined;
  return picked.choice ? { value: picked.choice.value } : askText(question, title, undefined, prompt);
}

async function askMany(choices: readonly Choice[], allowsOther: boolean, title: string, preset: unknown, prompt: string): Promise<Answer> {
  const chosen = Array.isArray(preset) ? (preset as unknown[]) : [];
  const items: (ui.Item & { choice?: Choice })[] = choices.map((choice) => ({
    label: choice.label,
    detail: choice.description,
    isPicked: chosen.some((value) => same(value, choice.value)),
    choice,
  }));
  const before = chosen.find((value) => !choices.some((choice) => same(choice.value, value)));
  if (allowsOther) items.push({ label: "Other…", isPicked: before !== undefined });
  const picked = await ui.pickMany(items, { title, placeHolder: prompt, ignoreFocusOut: true });
  if (!picked) return undefined;
  const values = picked.flatMap(({ choice }) => (choice ? [choice.value] : []));
  if (picked.length === values.length) return { value: values };
  const own = await ui.askText({ title, prompt: "Other", value: textOf(before) });
  return own === undefined ? undefined : { value: own.trim() ? [...values, own] : values };
}

async function askText(question: Question, title: string, preset: unknown, prompt: string): Promise<Answer> {
  const text = await ui.askText({ title, prompt, value: textOf(preset) });
  return text === undefined ? undefined : { value: valueOf(text, question) };
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
