// Where a run left the plan: what was planned, what was done instead, and why.
import type { Adaptation } from "../src/protocol";
import { Line } from "./text";

export function AdaptationCard({ adaptation: { original_action: planned, adapted_action: done, reason } }: { readonly adaptation: Adaptation }) {
  return (
    <section className="adaptation" aria-label="Adaptation">
      <span className="muted">Adapted</span> <Line text={done} />
      <dl>
        {planned && (
          <div className="row">
            <dt>Planned</dt>
            <dd>
              <Line text={planned} />
            </dd>
          </div>
        )}
        <div className="row">
          <dt>Why</dt>
          <dd>
            <Line text={reason} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
