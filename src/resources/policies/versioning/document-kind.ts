import { list, type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { Content, Decision, Versioned } from './document-rules.ts';

/** Tables of one kind of document. Each document has at most one draft. */
interface Tables<C extends Content, Id extends string> {
  /** Prefix of the statement names. */
  name: string;
  /** Name of the statement parameter that holds the id of a document. */
  id: Id;
  documents: Sql;
  drafts: Sql;
  /** Column of the drafts table that holds the id of the document. */
  reference: Sql;
  /** Columns of the content. They have the same names in both tables. */
  columns: Readonly<Record<keyof C & string, Sql>>;
}

type OfDocument<Id extends string> = Record<Id, string>;

/** Documents with versions and drafts, such as policies and policy templates. */
export class DocumentKind<C extends Content, Id extends string> {
  readonly #id: Id;
  readonly #fields: (keyof C & string)[];
  readonly #replaceDraft: Mutation<C & OfDocument<Id>, object>;
  readonly #showDraft: Mutation<OfDocument<Id>, object>;
  readonly #removeDraft: Mutation<OfDocument<Id>, object>;
  readonly #dropFile: Mutation<OfDocument<Id> & { keepsFile: boolean }, object>;

  constructor(tables: Tables<C, Id>) {
    this.#id = tables.id;
    this.#fields = listFields(tables);
    this.#replaceDraft = replaceDraft(tables);
    this.#showDraft = showDraft(tables);
    this.#removeDraft = removeDraft(tables);
    this.#dropFile = dropFile(tables);
  }

  /** Returns the content fields of a document, a draft or a request. Skips fields that a request omits. */
  pickContent<T extends Partial<C>>(source: T): Pick<T, keyof T & keyof C> {
    const given = this.#fields.filter((field) => source[field] !== undefined);
    return Object.fromEntries(given.map((field) => [field, source[field]])) as Pick<T, keyof T & keyof C>;
  }

  /** Returns a document in the form that the rules expect. */
  versioned(document: C & { isLive: boolean; draft: C | null }): Versioned<C> {
    const { isLive, draft } = document;
    return { isLive, content: this.pickContent<C>(document), draft: draft && this.pickContent<C>(draft) };
  }

  /**
   * Carries out a decision of the rules. The caller has locked the document.
   * @param publish stores the content as the live version; the draft is removed afterwards
   */
  async carryOut(
    tenant: TenantWriter,
    documentId: string,
    decision: Decision<C>,
    publish: (content: C) => Promise<void>,
  ): Promise<void> {
    const ofDocument = { [this.#id]: documentId } as OfDocument<Id>;
    switch (decision.step) {
      case 'save_draft':
        await tenant.mutate(this.#replaceDraft, { ...decision.content, ...ofDocument });
        await tenant.mutate(this.#showDraft, ofDocument);
        return;
      case 'publish':
        await publish(decision.content);
        await tenant.mutate(this.#removeDraft, ofDocument);
        return;
      case 'discard':
        await tenant.mutate(this.#removeDraft, ofDocument);
        await tenant.mutate(this.#dropFile, { ...ofDocument, keepsFile: decision.keepsFile });
        return;
      case 'nothing':
    }
  }
}

function listFields<C extends Content>({ columns }: Tables<C, string>): (keyof C & string)[] {
  return Object.keys(columns) as (keyof C & string)[];
}

function replaceDraft<C extends Content, Id extends string>(tables: Tables<C, Id>) {
  const { name, id, drafts, reference } = tables;
  const fields = listFields(tables);
  const columns = fields.map((field) => tables.columns[field]);
  return mutation<C & OfDocument<Id>>(
    `${name}_replace_draft`,
    (p) => sql`
      insert into ${drafts} (company_id, ${reference}, updated_at, ${list(columns)})
      values (${p.companyId}, ${p[id]}, now(), ${list(fields.map((field) => sql`${p[field]}`))})
      on conflict (company_id, ${reference}) do update
         set updated_at = excluded.updated_at, ${list(columns.map((column) => sql`${column} = excluded.${column}`))}`,
  );
}

// A document that has never been published shows the content of its draft.
function showDraft<C extends Content, Id extends string>(tables: Tables<C, Id>) {
  const { name, id, documents, drafts, reference } = tables;
  const columns = listFields(tables).map((field) => tables.columns[field]);
  const shown = (column: Sql) => sql`${column} = case when published_at is null then d.${column} else o.${column} end`;
  return mutation<OfDocument<Id>>(
    `${name}_show_draft`,
    (p) => sql`
      update ${documents} o set updated_at = now(), ${list(columns.map(shown))}
        from ${drafts} d
       where o.company_id = ${p.companyId} and o.id = ${p[id]} and d.company_id = o.company_id and d.${reference} = o.id`,
  );
}

function removeDraft<C extends Content, Id extends string>({ name, id, drafts, reference }: Tables<C, Id>) {
  return mutation<OfDocument<Id>>(
    `${name}_remove_draft`,
    (p) => sql`delete from ${drafts} where company_id = ${p.companyId} and ${reference} = ${p[id]}`,
  );
}

// Drops the file of a discarded draft, unless a live version exists.
function dropFile<C extends Content, Id extends string>({ name, id, documents }: Tables<C, Id>) {
  return mutation<OfDocument<Id> & { keepsFile: boolean }>(
    `${name}_drop_file`,
    (p) => sql`
      update ${documents} set file_id = case when ${p.keepsFile} then file_id end, updated_at = now()
       where company_id = ${p.companyId} and id = ${p[id]}`,
  );
}
