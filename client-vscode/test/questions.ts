import type { Option, Question } from "../src/protocol";

export function question(changes: Partial<Question>): Question {
  return { name: "answer", question: "?", context: "", severity: "minor", schema: {}, options: [], default: null, allow_custom: false, title: "", reason: "", about: null, ...changes };
}

export function options(...labels: string[]): Option[] {
  return labels.map((label) => ({ label, value: label.toLowerCase(), description: "", variant: "secondary", effect: null }));
}
