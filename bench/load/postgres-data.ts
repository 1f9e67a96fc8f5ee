import { parse } from '@embed-access/core/catalog/parse.ts'
import { type Document, unpack } from '@embed-access/core/storage/document.ts'
import { account, catalog, tenant } from '../catalog.ts'
import { workbook } from '../workbook.ts'
import { type Loaded, sizes } from './catalog.ts'
import { load } from './packages.ts'
import type { Connection, Pg } from './postgres.ts'

const schema = `
  CREATE TABLE accounts (id text PRIMARY KEY, embedding_enabled boolean NOT NULL);
  CREATE TABLE users (account_id text, id bigint, is_admin boolean NOT NULL, PRIMARY KEY (account_id, id));
  CREATE TABLE api_keys (hash text PRIMARY KEY, account_id text NOT NULL, user_id bigint NOT NULL, expires_at timestamptz);
  CREATE TABLE deployments (id bigint PRIMARY KEY, account_id text NOT NULL);
  CREATE TABLE embed_tenants (account_id text, name text, PRIMARY KEY (account_id, name));
  CREATE TABLE folders (deployment_id bigint, id bigint, name text NOT NULL, parent_id bigint, PRIMARY KEY (deployment_id, id));
  CREATE TABLE workbooks (
    deployment_id bigint, id bigint, folder_id bigint, document text NOT NULL, PRIMARY KEY (deployment_id, id)
  );
  CREATE INDEX ON workbooks (deployment_id, folder_id, id);
  -- A share without a tenant is with all embed users.
  CREATE TABLE shares (deployment_id bigint NOT NULL, resource text NOT NULL, resource_id bigint NOT NULL, tenant text);
  CREATE INDEX ON shares (deployment_id, resource, tenant, resource_id);
  CREATE TABLE sessions (hash text PRIMARY KEY, context json NOT NULL, expires_at timestamptz NOT NULL);
  CREATE TABLE session_ends (jti text PRIMARY KEY, ended text NOT NULL, expires_at timestamptz NOT NULL);
`

type Data = Readonly<Record<string, unknown>> & {
  readonly resource: { readonly type: string; readonly id: number }
  readonly grantee: { readonly name?: string }
}

/** How a change of the catalog becomes a row. */
const rowOf: Readonly<Record<string, (data: Data, document: unknown) => readonly [string, readonly unknown[]]>> = {
  account: ({ id, embeddingEnabled }) => ['accounts', [id, embeddingEnabled]],
  deployment: ({ id, accountId }) => ['deployments', [id, accountId]],
  folder: ({ deploymentId, id, name, parentId }) => ['folders', [deploymentId, id, name, parentId]],
  share: ({ deploymentId, resource, grantee }) => ['shares', [deploymentId, resource.type, resource.id, grantee.name]],
  workbook: ({ deploymentId, id, folderId }, document) => [
    'workbooks',
    [deploymentId, id, folderId, unpack(document as Document)],
  ],
}

/** Fills a new database with the catalog that the tables of the service have, workbooks as the same JSON text. */
export async function fillPostgres(connection: Connection, { tokenHash }: Loaded): Promise<void> {
  const { Pool } = load<Pg>('pg')
  const pool = new Pool({ ...connection, max: 1 })
  const insert = (table: string, values: readonly unknown[]) =>
    pool.query(`INSERT INTO ${table} VALUES (${values.map((_, index) => `$${index + 1}`)})`, values)
  await pool.query(schema)
  await pool.query('BEGIN')
  for (const change of [...catalog(sizes.workbooks, workbook)].flat()) {
    const parsed = parse(change)
    if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
    const row = rowOf[change.kind]?.(change.data as Data, parsed.content.document)
    if (row) await insert(...row)
  }
  await insert('embed_tenants', [account, tenant])
  await insert('users', [account, 3, true])
  await insert('api_keys', [tokenHash, account, 3, null])
  await pool.query('COMMIT')
  await pool.query('ANALYZE')
  await pool.end()
}
