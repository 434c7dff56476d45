import { dump } from 'js-yaml';
import { type FixedAnswer, fixedAnswer } from './fixed-answer.ts';

/** The contract as it is sent. */
export interface PublishedContract {
  json: FixedAnswer;
  yaml: FixedAnswer;
}

export function publishContract(document: object): PublishedContract {
  // Without anchors, which not every reader of YAML knows, and without breaking lines.
  const yaml = dump(document, { noRefs: true, lineWidth: -1 });
  return {
    json: fixedAnswer(JSON.stringify(document), { 'Content-Type': 'application/json; charset=utf-8' }),
    yaml: fixedAnswer(yaml, { 'Content-Type': 'application/yaml; charset=utf-8' }),
  };
}
