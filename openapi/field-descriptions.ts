import { maxDepth } from '@embed-access/core/schema.ts'
import { maxSecurityContextBytes } from '@embed-access/core/sessions/request.ts'

const asSent = 'ISO 8601, as the platform wrote it. Without an offset it is UTC.'

/**
 * What the fields mean, by the name of the component. Fields with a plain name have no description.
 */
export const fieldDescriptions: Readonly<Record<string, Record<string, string>>> = {
  GenerateSession: {
    deploymentId: 'The deployment that the session is for. The caller needs read access to it.',
    creatorMode:
      'Lets the end user create content. Must be `true` for tenant groups and their definitions.',
    email: 'The e-mail address of the end user. Beside `internalId`, that of the user.',
    externalId:
      'The id of the end user at the host. The service trims it, and makes each letter lower ' +
      'case. Not blank, and not together with `internalId`. A session with neither is anonymous.',
    internalId:
      'An existing user of the account, by name or e-mail address. The session has that ' +
      "user's permissions. Only an admin may name another user.",
    embedTenantName:
      'The embed tenant, created when first named: 2 to 36 lower-case letters, digits or hyphens.',
    embedTenantProfile: 'Needs `embedTenantName`. The embed tenant gets this display name.',
    userProfile: 'How the end user is shown.',
    embedTheme: 'Colours and font of the embedded pages.',
    groups:
      'Global groups of the account, which must exist. Each goes unchanged into ' +
      '`securityContext.platformCloud.groups` of the token, where access policies of the data ' +
      'model use it. Creator mode does not show these groups.',
    tenantGroups:
      'Groups of the embed tenant, to share and organise content. Creator mode shows these ' +
      'groups alone. They need `creatorMode: true` and `embedTenantName`, and go into ' +
      '`securityContext.platformCloud.groups` of the token as ' +
      '`system:tenant:{embedTenantName}:group:{group}`.',
    tenantGroupDefinitions:
      'Creates or updates groups of the embed tenant before they are assigned. A tenant has at ' +
      'most 1,000 groups. Groups that others than admins define take at most 32 KiB, and all ' +
      'definitions of a tenant 320 KiB. Names must not repeat.',
    groupDefinitions:
      'Has no effect. Existing clients may send it, with any value but for the keys that no body ' +
      'may have. The answer then has a `Deprecation` header.',
    userAttributes:
      'Attributes of the end user. Names must not repeat. An attribute that is left out, ' +
      'or has no value, gets the default of its stored definition: that of the embed tenant, or ' +
      'of the account if the request names no tenant. Numbers as in `securityContext`, but none ' +
      'nearer to 0 than 1e-130, except 0.',
    userAttributeDefinitions:
      'Creates or updates definitions of attributes. They belong to the embed tenant if the ' +
      'request names one, otherwise to the account. An embed tenant or an account has at most ' +
      '200 definitions, and their defaults together take at most a quarter of a token. Only an ' +
      'admin whose credential is not limited to deployments or operations may change them. Other ' +
      'callers may send definitions as they are stored. `defaultValue` is a value of the `type`, ' +
      'or its JSON text, of at most 500 characters. Without a type it is a string. For numbers, ' +
      'the rule of `userAttributes` holds. Names must not repeat.',
    securityContext:
      `Copied into the token, for access policies. At most ${maxSecurityContextBytes / 1024} ` +
      `KiB as JSON, nested at most ${maxDepth} deep. A number must keep its value as a 64-bit ` +
      'float, and an integer must be within ±(2^53 - 1). Send others as strings. The service ' +
      'sets `platformCloud` itself, so that key is not allowed here, nor is `cubeCloud`.',
    roles: 'Copied into the token. They give nobody a role on this platform.',
    actor:
      'Who views the pages as this end user, and why: for support. For admins with an unlimited ' +
      'credential. Needs `externalId`. An embed tenant that the request names must be there. The ' +
      'session defines nothing, has no creator mode and so no tenant groups, and its token lives ' +
      'at most 30 minutes. The token says `act`. `reason` is in the audit alone. An extension of ' +
      'this service.',
    branchName:
      'The branch of the data model that the end user sees. Copied into the token. A dry run ' +
      'warns of a name that git does not take.',
    publicDashboardId: 'The public id of the dashboard to show.',
    isEphemeral: 'Copied into the token.',
    tokenLifetimeSeconds:
      'How long the token lives once the session is redeemed: from 60 seconds to the limit ' +
      'of the service, which a dry run shows as `limits.tokenSeconds`. Left out, it lives ' +
      'as long as the limit. An extension of this service.',
    settings: 'Settings of this session alone. Keys that are left out have their defaults.',
  },
  PageInfo: {
    hasNextPage:
      'Whether the list goes on after this page. A page with fewer items than `first`, or none, ' +
      'may have a next one, too.',
    hasPreviousPage: 'Whether `after` was given. Pages go forward only.',
    startCursor: 'The cursor of the first item. Null on an empty page.',
    endCursor: 'Where the page ends, for `after`. Null on an empty page that is the last one.',
  },
  Workbook: {
    createdAt: asSent,
    updatedAt: asSent,
    type: 'The kind of entry.',
    folderId: 'The folder that contains the workbook, an integer. Null at the top level.',
    folderPath: 'The folders that contain the workbook, root first, with their current names.',
    promotion:
      'Where the workbook was promoted from or to, as the platform says it. Null if it never was.',
    publishedDashboard: 'The dashboard that is shown to end users.',
    user: 'Who owns the workbook.',
  },
  EmbedAccess: {
    grantee: 'An embed tenant, or all embed users.',
    reasons:
      'Every share by which it sees the workbook: direct ones first, then those of ' +
      'folders, root first.',
  },
  EmbedTenant: {
    createdAt:
      'When it was created, as the catalog says, or else when this service first heard of it, ' +
      'by its record, a share, a recipient, a definition or a session. Null if neither is known.',
  },
  AccessExplanation: {
    path:
      'The folders above the workbook, root first, and the workbook itself, each with its ' +
      'shares with the tenant and with all embed users.',
    end:
      'Why the path begins where it does: the folder that should come before it, and why that ' +
      'folder does not count. Null if the path begins at the top level.',
  },
  Dashboard: { publicId: 'The id by which embeds name the dashboard.' },
  ReportSnapshot: {
    publicId: 'The public id of the report. Null in versions from before it was recorded.',
  },
  DbtSync: {
    source: 'Where the dbt project came from.',
    startedAt: asSent,
    completedAt: asSent,
    durationMs: 'Milliseconds from start to completion.',
    failedPhase: 'The phase in which it failed.',
    lastStage: 'The last stage that it reached.',
    triggerContext: 'What the trigger said, such as the commit that was pushed.',
    userId: 'Who started it.',
  },
  DbtSyncPhase: { startedOffsetMs: 'Milliseconds from the start of the sync.' },
  Notification: {
    cronExpression: 'When it is sent, in `timezone`.',
    isEnabled: 'Whether the schedule is active.',
    filters: 'Filters of the dashboard that are applied before it is sent.',
  },
  GeneratedSession: {
    sessionId: 'A credential for the browser alone, to be redeemed once, within five minutes.',
  },
  DryRun: {
    claims: 'The claims that the token would have. No token will ever have this `jti`.',
    tokenBytes: 'The length that the token would have, in bytes.',
    limits:
      'The greatest length of a token in bytes, and the lifetimes of a session and a token ' +
      'in seconds.',
  },
  EmbedRevocations: {
    iat: 'When the revocations were read, in seconds since the epoch.',
    complete: 'Whether all revocations are here. If not, ask about each token that is not refused.',
    revoked:
      'A time for each hash, in seconds since the epoch. A token is refused if one of its hashes ' +
      'is here and its `mintedBy.at` is not later than that time.',
  },
  EmbedTokenClaims: {
    sub: 'The end user, unique within the issuer.',
    jti: 'The same for a session and its token, so the audit can follow them.',
    userId: 'The internal user, for sessions with `internalId`.',
    act:
      'Who really views the pages (RFC 8693, section 4.1), for sessions with an `actor`. A ' +
      'service that takes the token must refuse to write.',
    mintedBy:
      'Who generated the session, and when, in seconds since the epoch. `key` is the beginning ' +
      'of the hash of the API key. Revocations of all sessions of a key or user compare it.',
    securityContext:
      'As given, with `platformCloud.groups` where groups or tenant groups were given.',
  },
  CurrentEmbedSession: {
    claims: 'The claims of the token.',
    expiresIn: 'How long the token is valid from now, in whole seconds.',
  },
  EmbedToken: {
    token: 'The signed JWT. Its claims are those of `EmbedTokenClaims`.',
    expiresIn: 'The lifetime of the token from now, in seconds.',
  },
}

/** Fields that are still accepted, but that clients should leave out. */
export const deprecated = new Set(['GenerateSession.groupDefinitions'])
