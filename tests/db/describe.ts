import type pg from 'pg';

export interface Description {
  /** The types of `$1, $2, …`, as OIDs. */
  parameters: number[];
  columns: pg.FieldDef[];
}

/** The part of the wire protocol for descriptions, which the typings of pg cover only partly. */
interface Wire {
  parse(message: { text: string }): void;
  describe(message: { type: 'S' }): void;
  sync(): void;
  once(event: 'parameterDescription', handle: (message: { dataTypeIDs: number[] }) => void): void;
}

/** Asks Postgres for the parameters and columns of a statement, without running it. */
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

/** Returns the types of a statement's `$1, $2, …` in SQL notation. */
export async function parameterTypes(client: pg.Client, text: string): Promise<string[]> {
  const { parameters } = await describeStatement(client, text);
  const { rows } = await client.query<{ name: string }>(
    'select format_type(type, null) as name from unnest($1::oid[]) with ordinality as t (type, place) order by place',
    [parameters],
  );
  return rows.map(({ name }) => name);
}
