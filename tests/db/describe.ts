import type pg from 'pg';

export interface Description {
  /** The types of `$1, $2, …`, as their OIDs. */
  parameters: number[];
  columns: pg.FieldDef[];
}

/** The part of the wire protocol that a description takes; the typings of pg know it by half. */
interface Wire {
  parse(message: { text: string }): void;
  describe(message: { type: 'S' }): void;
  sync(): void;
  once(event: 'parameterDescription', handle: (message: { dataTypeIDs: number[] }) => void): void;
}

/** Asks Postgres what a statement takes and answers, without running it. */
export function describeStatement(client: pg.Client, text: string): Promise<Description> {
  const description: Description = { parameters: [], columns: [] };
  return new Promise((resolve, reject) => {
    client.query({
      submit(connection: pg.Connection) {
        const wire = connection as unknown as Wire;
        wire.once('parameterDescription', ({ dataTypeIDs }) => (description.parameters = dataTypeIDs));
        wire.parse({ text });
        wire.describe({ type: 'S' });
        wire.sync();
      },
      handleRowDescription: ({ fields }: { fields: pg.FieldDef[] }) => (description.columns = fields),
      handleError: reject,
      handleReadyForQuery: () => resolve(description),
    } as pg.Submittable);
  });
}

/** The types of a statement's `$1, $2, …`, as SQL writes them. */
export async function parameterTypes(client: pg.Client, text: string): Promise<string[]> {
  const { parameters } = await describeStatement(client, text);
  const { rows } = await client.query<{ name: string }>(
    'select format_type(type, null) as name from unnest($1::oid[]) with ordinality as t (type, place) order by place',
    [parameters],
  );
  return rows.map(({ name }) => name);
}
