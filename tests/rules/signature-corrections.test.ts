import fc from 'fast-check';
import {
  correctedResult,
  type SignedResult,
} from '../../src/resources/policies/signatures/signature-correction-rules.ts';

const signature = (signed: string) => ({ signed, versionId: 'v', offline: true, signedFrom: null });
const result = (fields: Partial<SignedResult>): SignedResult => ({
  hasResult: true,
  assignedAt: '2026-05-01',
  askedAt: '2026-05-01',
  isAssignedBySignature: false,
  latest: null,
  ...fields,
});

describe('the result after a correction', () => {
  test.each([
    ['stays with its request if it was assigned otherwise', {}, null, { isLeft: true, askedAt: '2026-05-01' }],
    ['ends if a signature had assigned it and none is left', { isAssignedBySignature: true }, null, { isLeft: false }],
    [
      'is requested at the time of the latest signature if a signature had assigned it',
      { isAssignedBySignature: true, latest: signature('2026-05-04') },
      null,
      { isLeft: true, assignedAt: '2026-05-01', askedAt: '2026-05-04' },
    ],
    ['ends if it is not assigned and none is left', { assignedAt: null, askedAt: null }, null, { isLeft: false }],
    [
      'stays unassigned if it is not assigned',
      { assignedAt: null, askedAt: null, latest: signature('2026-05-04') },
      '2026-04-01',
      { isLeft: true, assignedAt: null, askedAt: null },
    ],
    [
      'is assigned again with a restored signature that had assigned it',
      { hasResult: false, assignedAt: null, askedAt: null, latest: signature('2026-05-04') },
      '2026-04-01',
      { isLeft: true, assignedAt: '2026-04-01', askedAt: '2026-05-04' },
    ],
    [
      'is not assigned with a restored signature that had not assigned it',
      { hasResult: false, assignedAt: null, askedAt: null, latest: signature('2026-05-04') },
      null,
      { isLeft: true, assignedAt: null, askedAt: null },
    ],
  ])('%s', (_case, fields, formerAssignment, expected) => {
    expect(correctedResult(result(fields), formerAssignment)).toMatchObject(expected);
  });
});

/** Signatures of one learner on one policy. The first one recorded assigns the policy. */
class Corrected {
  readonly #counting = new Set<string>();
  readonly #formerAssignments = new Map<string, string>();
  state: { assignedAt: string | null; askedAt: string | null; latest: string | null } | undefined;

  /** Records signatures as the service does: the latest signature counts as requested at its own time. */
  record(times: readonly string[]): void {
    for (const time of times) this.#counting.add(time);
    const latest = this.#latest();
    this.state = latest === null ? undefined : { assignedAt: 'recorded', askedAt: latest, latest };
  }

  correct({ voids, restores }: { voids: readonly string[]; restores: readonly string[] }): void {
    const former = restores.map((time) => this.#formerAssignments.get(time)).find((time) => time !== undefined);
    for (const time of voids) this.#counting.delete(time);
    for (const time of restores) this.#counting.add(time);
    const { state } = this;
    const latest = this.#latest();
    const before = {
      hasResult: state !== undefined,
      assignedAt: state?.assignedAt ?? null,
      askedAt: state?.askedAt ?? null,
      isAssignedBySignature: state?.assignedAt === 'recorded',
      latest: latest === null ? null : signature(latest),
    };
    const { isLeft, assignedAt, askedAt } = correctedResult(before, former ?? null);
    if (before.isAssignedBySignature) for (const time of voids) this.#formerAssignments.set(time, 'recorded');
    this.state = isLeft ? { assignedAt, askedAt, latest } : undefined;
  }

  #latest(): string | null {
    return [...this.#counting].toSorted().at(-1) ?? null;
  }
}

test('after any voids and restorations, the result follows from the signatures that count', () => {
  const times = ['2026-05-04', '2026-05-05', '2026-05-06', '2026-05-07'];
  const subset = fc.subarray(times);
  fc.assert(
    fc.property(subset, fc.array(fc.tuple(fc.boolean(), subset), { maxLength: 8 }), (recorded, steps) => {
      const corrected = new Corrected();
      corrected.record(recorded);
      const counting = new Set(recorded);
      for (const [isVoid, chosen] of steps) {
        const changed = chosen.filter((time) => recorded.includes(time) && counting.has(time) === isVoid);
        corrected.correct(isVoid ? { voids: changed, restores: [] } : { voids: [], restores: changed });
        for (const time of changed) {
          if (isVoid) counting.delete(time);
          else counting.add(time);
        }
      }
      const alone = new Corrected();
      alone.record([...counting]);
      expect(corrected.state).toEqual(alone.state);
    }),
  );
});
