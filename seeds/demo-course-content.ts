import type { Knex } from 'knex';
import { courseId, courseNamed } from './demo-course-rows.ts';

const SAVED_AT = '2026-03-30T07:55:00.000Z';
const REVISION = '019d3dd8-1ed8-7000-8500-00000000c001';

const FILES = {
  'course.yaml': `names:
  en: Handling our customers’ drawings
  de: Umgang mit den Zeichnungen unserer Kunden
summaries:
  en: Where technical drawings can be kept and how to send them.
  de: Wo technische Zeichnungen liegen dürfen und wie man sie verschickt.
minutes: 15
passMark: 70
languages: [en, de]
reviewed: 2026-03-30
`,
  'en/01-markings.md': `# Read the marking first

Every drawing of a customer has a **marking** in the title block. It says who can have the drawing.

- **Open:** suppliers can have it as well.
- **Internal:** it stays in the company.
- **Prototype:** only the project team can see it.

**Remember:** A drawing without a marking counts as internal.
`,
  'de/01-markings.md': `# Zuerst auf die Kennzeichnung achten

Jede Kundenzeichnung trägt im Schriftfeld eine **Kennzeichnung**. Sie sagt, wer die Zeichnung bekommen darf.

- **Offen:** Auch Lieferanten dürfen sie bekommen.
- **Intern:** Sie bleibt im Unternehmen.
- **Prototyp:** Nur das Projektteam darf sie sehen.

**Merke:** Eine Zeichnung ohne Kennzeichnung gilt als intern.
`,
  'en/questions.yaml': `- id: which-drawing
  lesson: 01-markings
  kind: one
  ask: A supplier asks for a drawing without a marking. What do you do?
  answers:
    - id: a
      text: I send it, since nothing forbids it.
      right: false
      because: A drawing without a marking counts as internal.
    - id: b
      text: I ask the project lead first.
      right: true
      because: The project lead knows what was agreed with the customer.
`,
  'de/questions.yaml': `- id: which-drawing
  lesson: 01-markings
  kind: one
  ask: Ein Lieferant bittet um eine Zeichnung ohne Kennzeichnung. Was tun Sie?
  answers:
    - id: a
      text: Ich schicke sie, denn nichts verbietet es.
      right: false
      because: Eine Zeichnung ohne Kennzeichnung gilt als intern.
    - id: b
      text: Ich frage zuerst die Projektleitung.
      right: true
      because: Die Projektleitung weiß, was mit dem Kunden vereinbart ist.
`,
};

/** Stores the published content of a company's own course in the demo. */
export async function insertContent(knex: Knex, companyId: string): Promise<void> {
  const files = JSON.stringify(FILES);
  const course_id = courseId(courseNamed('acme-customer-drawings'));
  await knex('course_contents')
    .insert({
      ...{ company_id: companyId, course_id, state: 'published', revision: REVISION, files },
      ...{ size_bytes: Buffer.byteLength(files), saved_at: SAVED_AT, version: 1, published_at: SAVED_AT },
    })
    .onConflict()
    .ignore();
}
