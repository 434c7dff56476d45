import { dump } from 'js-yaml';
import { once } from '../../web/once.ts';
import { type FixedAnswer, fixedAnswer } from '../../web/fixed-answer.ts';

/** The contract as it is sent. */
export interface PublishedContract {
  json: () => FixedAnswer;
  yaml: () => FixedAnswer;
}

export function publishContract(document: object): PublishedContract {
  return {
    json: once(() => fixedAnswer(JSON.stringify(document), { 'Content-Type': 'application/json; charset=utf-8' })),
    // Without anchors, which not every reader of YAML knows, and without breaking lines.
    yaml: once(() => {
      const yaml = dump(document, { noRefs: true, lineWidth: -1 });
      return fixedAnswer(yaml, { 'Content-Type': 'application/yaml; charset=utf-8' });
    }),
  };
}
