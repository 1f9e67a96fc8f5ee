import { DbtSync, Phase, Stats, TriggerContext } from '@embed-access/core/dbt-syncs/dbt-sync.ts'
import { Explanation, PathEnd } from '@embed-access/core/embed-access/explanation.ts'
import { AttributeValue } from '@embed-access/core/embed-tenants/attribute-value.ts'
import { name } from '@embed-access/core/embed-tenants/names.ts'
import {
  NotificationFilter,
  notificationFields,
} from '@embed-access/core/notifications/notification.ts'
import {
  boolean,
  exactly,
  id,
  integer,
  list,
  orNull,
  text,
  textOf,
} from '@embed-access/core/schema.ts'
import { GenerateSession, RequestFields } from '@embed-access/core/sessions/request.ts'
import { time } from '@embed-access/core/time.ts'
import { AccessReason, Grantee } from '@embed-access/core/workbooks/grantee.ts'
import * as workbooks from '@embed-access/core/workbooks/workbook.ts'
import * as v from 'valibot'
import {
  type Definitions,
  type JsonObject,
  jsonSchemaOf,
  membersOf,
  type Union,
} from './json-schema.ts'

/** The schemas that have a name in the document. The names are those of the specification. */

export const requestSchemas: Definitions = { GenerateSession }

const PageInfo = exactly({
  hasNextPage: v.boolean(),
  hasPreviousPage: v.boolean(),
  startCursor: orNull(text),
  endCursor: orNull(text),
})

const {
  groupDefinitions,
  tenantGroupDefinitions,
  userAttributeDefinitions,
  userAttributes,
  securityContext,
  tokenLifetimeSeconds,
  actor,
  ...captured
} = RequestFields.entries

/** The captured context as it was sent, and the claims that the service adds. */
const EmbedTokenClaims = exactly({
  iss: text,
  aud: text,
  sub: text,
  iat: integer,
  nbf: integer,
  exp: integer,
  jti: text,
  accountId: text,
  ...captured,
  userId: v.optional(id),
  act: v.optional(exactly({ sub: text })),
  mintedBy: exactly({ userId: id, key: v.optional(text), at: integer }),
  userAttributes: v.optional(list(exactly({ name, value: AttributeValue }))),
  securityContext: v.optional(
    v.objectWithRest(
      { platformCloud: v.optional(exactly({ groups: v.array(text) })) },
      v.unknown(),
    ),
  ),
})

const DryRun = exactly({
  claims: EmbedTokenClaims,
  tokenBytes: integer,
  limits: exactly({ maxTokenBytes: integer, sessionSeconds: integer, tokenSeconds: integer }),
  warnings: list(exactly({ pointer: text, message: text })),
})

const positiveSeconds = v.pipe(integer, v.minValue(1))

/** The members of a union, by names such as `FolderAccessReason`. Generated clients need names. */
const namedMembers = (name: string, union: Union): Definitions =>
  Object.fromEntries(
    membersOf(union).map(({ text, schema }) => [
      `${text.charAt(0).toUpperCase()}${text.slice(1)}${name}`,
      schema,
    ]),
  )

export const responseSchemas = {
  PageInfo,
  Workbook: exactly({
    ...workbooks.Workbook.entries,
    accessSources: v.optional(v.array(AccessReason)),
  }),
  AccessReason,
  ...namedMembers('AccessReason', AccessReason),
  Grantee,
  ...namedMembers('Grantee', Grantee),
  EmbedAccess: exactly({ grantee: Grantee, reasons: v.array(AccessReason) }),
  AccessExplanation: Explanation,
  AccessPathEnd: PathEnd,
  EmbedTenant: exactly({
    name: text,
    displayName: orNull(text),
    createdAt: orNull(time),
  }),
  WorkspaceFolderPathEntry: workbooks.FolderPathEntry,
  ResourceOwner: workbooks.ResourceOwner,
  Dashboard: workbooks.Dashboard,
  DashboardConfig: workbooks.DashboardConfig,
  DashboardAppSource: workbooks.AppSource,
  DashboardAppManifest: workbooks.AppManifest,
  DashboardLayout: workbooks.Layout,
  DashboardWidget: workbooks.Widget,
  DashboardWidgetPosition: workbooks.WidgetPosition,
  ReportSnapshot: workbooks.ReportSnapshot,
  FillMissingRows: workbooks.FillMissingRows,
  PeriodComparison: workbooks.PeriodComparison,
  ReportSnapshotPreferences: workbooks.Preferences,
  ColumnFormatOverride: workbooks.ColumnFormatOverride,
  DbtSync,
  DbtSyncPhase: Phase,
  DbtSyncStats: Stats,
  DbtSyncTriggerContext: TriggerContext,
  Notification: exactly(notificationFields),
  NotificationFilter,
  GeneratedSession: exactly({ sessionId: textOf(1, 100) }),
  DryRun,
  EmbedTokenClaims,
  CurrentEmbedSession: exactly({
    claims: EmbedTokenClaims,
    expiresIn: v.pipe(integer, v.minValue(0)),
  }),
  EmbedToken: exactly({ token: text, expiresIn: positiveSeconds }),
  EmbedRevocations: exactly({
    iss: text,
    iat: integer,
    exp: integer,
    complete: boolean,
    revoked: v.record(text, integer),
  }),
  KeySet: exactly({
    keys: v.array(
      exactly({
        kty: v.literal('EC'),
        crv: v.literal('P-256'),
        x: text,
        y: text,
        kid: text,
        alg: v.literal('ES256'),
        use: v.literal('sig'),
      }),
    ),
  }),
} satisfies Definitions

/** The schema of a page of a list. `more` has fields besides the items. */
export const pageOf = (item: v.GenericSchema, more: v.ObjectEntries = {}): JsonObject =>
  jsonSchemaOf(
    exactly({ items: v.array(item), pageInfo: PageInfo, ...more }),
    'response',
    responseSchemas,
  )
