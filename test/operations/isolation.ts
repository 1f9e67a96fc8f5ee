import { type OperationId, routes } from '../../functions/operations/operations.ts'

/*
 * What every operation answers to every principal. Nothing here follows from the records: an
 * operation without a row, or a row without a principal, does not compile, and a record whose
 * access changes fails a test.
 */

/**
 * A credential, and what docs/threats.md calls it. A request is about deployment 1, unless this
 * says otherwise.
 */
export const principals = {
  admin: 'key of an admin',
  limited: 'key of an admin that only opens `generate-session`',
  pageAdmin: 'key of an admin, in a page of another origin',
  reader: 'key of a reader of the deployment',
  stranger: 'key of a reader of another deployment',
  scopedAdmin: 'key of an admin, scoped to another deployment',
  internalAdmin: 'embed token of an internal user, an admin',
  internalReader: 'embed token of an internal user, a reader',
  internalElsewhere: 'embed token of an admin, made for another deployment',
  external: 'embed token of an external user, with `roles: [admin]`',
  oidcAdmin: 'access token of an admin',
  oidcReader: 'access token of a reader',
  otherAdmin: 'key of an admin of another account',
  ended: 'key of an admin of an account that ended, about its own deployment',
  expiredKey: 'expired key of an admin',
  revokedKey: 'revoked key of an admin',
  expiredToken: 'expired embed token of an admin',
  revokedToken: 'revoked embed token of an admin',
  none: 'no credential',
} as const

export type PrincipalName = keyof typeof principals

/**
 * Status and code. A 401 without a code is API Gateway's own. `no effect`: the session stays, as
 * the caller may not end it.
 */
type Outcome =
  | '200'
  | '204'
  | '204 no effect'
  | '401'
  | '401 unauthenticated'
  | '403 admin_required'
  | '403 api_key_in_browser'
  | '403 end_user'
  | '403 external_user_required'
  | '403 operation_not_allowed'
  | '403 deployment_forbidden'
  | '404 deployment_not_found'

type Row = Readonly<Record<PrincipalName, Outcome>>

const forEverybody = Object.fromEntries(Object.keys(principals).map((name) => [name, '200'])) as Row

/** The principals that every operation with a credential refuses in the same way. */
const nobody = {
  pageAdmin: '403 api_key_in_browser',
  external: '403 end_user',
  ended: '401 unauthenticated',
  expiredKey: '401 unauthenticated',
  revokedKey: '401 unauthenticated',
  expiredToken: '401 unauthenticated',
  revokedToken: '401 unauthenticated',
  none: '401',
} as const satisfies Partial<Row>

const forReaders: Row = {
  ...nobody,
  admin: '200',
  limited: '403 operation_not_allowed',
  reader: '200',
  stranger: '403 deployment_forbidden',
  scopedAdmin: '403 deployment_forbidden',
  internalAdmin: '200',
  internalReader: '200',
  internalElsewhere: '403 deployment_forbidden',
  oidcAdmin: '200',
  oidcReader: '200',
  otherAdmin: '404 deployment_not_found',
}

const forAdmins: Row = {
  ...forReaders,
  reader: '403 admin_required',
  stranger: '403 admin_required',
  internalReader: '403 admin_required',
  oidcReader: '403 admin_required',
}

/** For whoever has an embed token that is still good, and for nobody else. */
const forBearers = (outcome: '200' | '204'): Row => ({
  ...forReaders,
  ...Object.fromEntries(Object.keys(principals).map((name) => [name, '401 unauthenticated'])),
  internalAdmin: outcome,
  internalReader: outcome,
  internalElsewhere: outcome,
  external: outcome,
})

export const isolation: Readonly<Record<OperationId, Row>> = {
  'list-embed-tenant-workbooks': forAdmins,
  'generate-session': {
    ...forReaders,
    limited: '200',
    internalAdmin: '403 end_user',
    internalReader: '403 end_user',
    internalElsewhere: '403 end_user',
  },
  'exchange-session': forEverybody,
  // About a session of deployment 1. It takes no deployment.
  'revoke-session': {
    ...nobody,
    admin: '204',
    limited: '403 operation_not_allowed',
    // Those who are no admins revoke what they have generated themselves. An admin's key has
    // generated this session.
    reader: '204 no effect',
    stranger: '204 no effect',
    scopedAdmin: '204 no effect',
    internalAdmin: '204',
    internalReader: '403 admin_required',
    internalElsewhere: '204 no effect',
    oidcAdmin: '204',
    oidcReader: '204 no effect',
    otherAdmin: '204 no effect',
  },
  'get-embed-session': forBearers('200'),
  'end-embed-session': forBearers('204'),
  'list-embed-workbooks': {
    ...forBearers('200'),
    internalAdmin: '403 external_user_required',
    internalReader: '403 external_user_required',
    internalElsewhere: '403 external_user_required',
  },
  'list-dbt-syncs': forReaders,
  'list-notifications': forReaders,
  'list-workbook-embed-tenants': forAdmins,
  // About the whole account, so no credential that is scoped to deployments opens it.
  'list-embed-tenants': {
    ...forAdmins,
    internalAdmin: '403 deployment_forbidden',
    otherAdmin: '200',
  },
  'get-key-set': forEverybody,
  'get-embed-revocations': forEverybody,
  'get-spec': forEverybody,
  'get-error-reference': forEverybody,
}

/**
 * The same as a table in Markdown: principals by operations. Operations with the same answers share
 * a column, principals with the same answers a row.
 */
export function isolationTable(): string {
  const cell = (outcome: Outcome) =>
    ({ '401': '401 alone', '401 unauthenticated': '401' })[outcome as string] ??
    outcome.replace(/^(\d+) ([a-z]+_[a-z_]*)$/, '$1 `$2`')
  const names = Object.keys(principals) as PrincipalName[]
  const columns = merged(
    routes.map(({ id }) => ({ name: id, cells: names.map((name) => cell(isolation[id][name])) })),
  )
  const rows = merged(
    names.map((name, at) => ({
      name: principals[name],
      cells: columns.map(({ cells }) => cells[at] as string),
    })),
  )
  const lines = rows.map(({ name, cells }) => [name, ...cells])
  return [['', ...columns.map(({ name }) => name)], ['---', ...columns.map(() => '---')], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('')
}

type Line = { readonly name: string; readonly cells: readonly string[] }

/** Makes one line of those with the same cells. */
function merged(lines: readonly Line[]): Line[] {
  const byCells = Map.groupBy(lines, ({ cells }) => cells.join(' | '))
  return [...byCells.values()].map((alike) => ({
    name: alike.map(({ name }) => name).join('; '),
    cells: alike[0]?.cells ?? [],
  }))
}
