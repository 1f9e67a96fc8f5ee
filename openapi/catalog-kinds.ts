import type { KindName } from '@embed-access/core/catalog/kind.ts'
import { Dashboard } from '@embed-access/core/workbooks/workbook.ts'
import { filterOperators } from './published.ts'

type DescribedKind = {
  description: string
  /** Descriptions of the fields whose name does not say it all. */
  fields?: Record<string, string>
  deletion: string
}

const requiredOf = ({ entries }: typeof Dashboard): string =>
  Object.entries(entries)
    .flatMap(([name, { type }]) => (type === 'optional' ? [] : [`\`${name}\``]))
    .join(', ')

const publishedClients = "Clients generated from the platform's current API"

const groupName = 'Must not begin with `system:`, which is reserved.'
const credentialsRefused = 'Its credentials are refused within 30 seconds.'
const inNoList = 'It is in no list any more.'
const accountSince =
  'The lowest revision that named this account, if that is not `revision`. Exports contain it. ' +
  'You do not have to send it.'

/** What the schemas do not say of a kind, for docs/catalog.md. */
export const describedKinds: Record<KindName, DescribedKind> = {
  account: {
    description: 'A customer of the platform.',
    fields: {
      embeddingEnabled:
        'False if left out. Without it no session can be generated. A withdrawal counts ' +
        'within five seconds.',
      onlyAdminsMint: 'Whether only admins may generate sessions. False if left out.',
      viewAs:
        'Whether admins may view pages as an end user, by an `actor` of a session. True if left ' +
        'out.',
      maxEmbedTenants:
        'How many embed tenants sessions may have named: 10,000 if left out. Tenants that the ' +
        'catalog named first do not count, and the deletion of a tenant makes room.',
      embedTenants:
        'With `fromCatalog`, a session may name only an embed tenant that is there already. ' +
        'With `any`, or if left out, a session creates the embed tenant that it names.',
      oidc:
        'The issuer whose access tokens are accepted: an https URL with the name of a host, and ' +
        'without user name, query and fragment (or http on loopback). Check that it is the ' +
        "account's own: if two accounts have the same issuer and audience, the service refuses " +
        'the tokens of both. `userClaim` is the claim that names the user. The service compares ' +
        '`email` with e-mail addresses, and any other claim with user names. It compares `sub` ' +
        'letter by letter, and all others in lower case. The issuer must let nobody choose the ' +
        'value of this claim.',
    },
    deletion:
      `${credentialsRefused} Nobody can see what belongs to the account. ` +
      '`npx embed-access catalog purge` removes that, and leaves only what says that an id is ' +
      'taken: the tombstone for 90 days. Run it before you use the id again. If the account ' +
      'comes back, send its deployments with a higher revision.',
  },
  user: {
    description: 'An internal user.',
    fields: {
      username: 'A user without one is named by the e-mail address alone.',
      roles: '`admin` is the role with a meaning here.',
      deploymentIds: 'The deployments that the user may read. An admin reads all of them.',
    },
    deletion: `${credentialsRefused} If the id comes back, so do its API keys: delete them too.`,
  },
  apiKey: {
    description:
      'An API key of a user. It stays with the account that first had it. `npx embed-access keys ' +
      'create` makes one.',
    fields: {
      tokenHash: 'SHA-256 of the whole key, in lower-case hex. The key itself is stored nowhere.',
      deploymentIds: 'The key works for these deployments only.',
      operations:
        'The key opens these operations alone, and generates no sessions for internal ' +
        'users. Left out: all that are open to its user.',
      accountSince,
    },
    deletion: 'The key is revoked.',
  },
  deployment: {
    description:
      'One installation of analytics. Its id is unique over all accounts, and stays for ' +
      'good with the account that first had it.',
    fields: { accountSince },
    deletion:
      'Five seconds later nobody can see what is in it. Its tombstone never expires, so ' +
      'that no other account gets its id.',
  },
  embedTenant: {
    description:
      'A customer of the account. A share, a recipient, a definition or a session that ' +
      'names it creates it too.',
    fields: {
      name:
        '2 to 36 letters, digits or hyphens. It begins with a letter, ends with a letter or ' +
        'digit, and is compared in lower case.',
      createdAt:
        'When it was created. If left out, the stored time stays, or is when this service first ' +
        'heard of the tenant. Exports have it.',
    },
    deletion:
      'It becomes unknown (404), and its end users’ notifications are in no list. What ' +
      'sessions have defined is gone. Its other groups and definitions count again when it is ' +
      'back. Its tombstone never expires.',
  },
  group: {
    description: 'A global group, which sessions name in `groups`.',
    fields: { name: groupName },
    deletion: 'Five seconds later sessions can no longer name it.',
  },
  tenantGroup: {
    description: 'A group within an embed tenant.',
    fields: { name: groupName },
    deletion: 'Sessions can no longer name it, unless one defines it again.',
  },
  attributeDefinition: {
    description: 'The definition of a user attribute, of an embed tenant or of the account itself.',
    fields: {
      embedTenantName:
        'Left out: a definition of the account. It counts only for sessions that name no embed ' +
        'tenant.',
      type: 'A string if left out.',
      defaultValue:
        'A value of the type, or its JSON text, of at most 500 characters. A session that leaves ' +
        'the attribute out gets it.',
    },
    deletion: 'Sessions no longer get its default.',
  },
  folder: {
    description: 'A folder of workbooks.',
    fields: {
      parentId:
        'Null at the top. A folder counts as top level if its parent is not there, or the ' +
        'top is not reached within 32 levels.',
    },
    deletion: 'What lies in it counts as top level.',
  },
  workbook: {
    description:
      'A workbook, as the API returns it. `folderPath` is not stored, since it follows ' +
      'from the folders.',
    fields: {
      createdAt: `${publishedClients} take dates such as 2026-01-31 or 2026-01-31T12:00:00Z.`,
      folderId: 'Null at the top.',
      publishedDashboard: `It needs ${requiredOf(Dashboard)}. Its \`publicId\` names it.`,
    },
    deletion: inNoList,
  },
  share: {
    description:
      'Lets a grantee see a workbook, or a folder and everything below the folder. All fields ' +
      'together identify the share.',
    fields: { grantee: 'An embed tenant, or all embed users.' },
    deletion: 'Access ends at once.',
  },
  dbtSync: {
    description: 'A run of dbt, as the API returns it.',
    fields: { phases: `${publishedClients} need all four fields of a phase.` },
    deletion: inNoList,
  },
  notification: {
    description:
      'A scheduled notification, as the API returns it. ' +
      `${publishedClients} need every field but the three lists, and both fields of each entry ` +
      'of the last two. One row without them makes the whole page unreadable to these clients.',
    fields: {
      createdAt: 'Orders the list. The API does not return it.',
      filters:
        'A `value` that is a number, true, false or a list is kept as its JSON text. ' +
        'A list may contain null. ' +
        `${publishedClients} need \`member\`, take no flag that is null, and know these ` +
        `operators: ${filterOperators.map((name) => `\`${name}\``).join(', ')}.`,
    },
    deletion: inNoList,
  },
  recipient: {
    description: 'Who gets a notification.',
    fields: { recipient: 'An internal user, or an end user of an embed tenant.' },
    deletion: 'The notification is no longer found by this recipient.',
  },
}
