/** What the schemas' fields mean, by the name of the component; fields whose name says it all are left out. */
export const fieldDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  GenerateSession: {
    deploymentId: 'The deployment the session is for. The caller needs read access to it.',
    creatorMode: 'Lets the end user create content. Needed as `true` for tenant groups and their definitions.',
    email: 'The e-mail address of the end user.',
    externalId:
      'Names the end user at the host; trimmed, and each letter in its own lower case. Not together with `internalId`; with neither of them the session is anonymous.',
    internalId:
      "An existing user of the account, by name or e-mail address; that user's own permissions count. For another user than the caller, the caller must be an admin.",
    embedTenantName: 'The embed tenant, created when first named: 2 to 36 lower-case letters, digits or hyphens.',
    embedTenantProfile: 'Needs `embedTenantName`; its display name becomes the tenant’s.',
    userProfile: 'How the end user is shown.',
    embedTheme: 'Colours and font of the embedded pages.',
    groups:
      'Global groups of the account, which must exist. Each comes unchanged into `securityContext.platformCloud.groups` of the token.',
    tenantGroups:
      'Groups of the embed tenant. They need `creatorMode: true` and `embedTenantName`, and come into the token as `system:tenant:{embedTenantName}:group:{group}`.',
    tenantGroupDefinitions:
      'Creates or updates groups of the embed tenant before they are assigned: at most 1,000 groups a tenant. Names must not repeat.',
    groupDefinitions:
      'Any value is accepted for existing clients, and has no effect. Its use is answered with a `Deprecation` header.',
    userAttributes:
      'Attributes of the end user; names must not repeat. Defaults of stored definitions fill those left out. An entry whose value is null or left out counts as left out.',
    userAttributeDefinitions:
      'Creates or updates definitions of attributes, of the embed tenant when it is named, else of the account: at most 200 of either, whose defaults take at most a quarter of a token. For admins whose credential is not scoped to deployments; anybody else may send definitions as they are stored. `defaultValue` is a value of the `type`, or its JSON text; without a type it is a string. Names must not repeat.',
    securityContext:
      'Goes into the token for access policies to read. At most 65,536 bytes as JSON, nested at most 64 deep, and without `platformCloud`, which is ours.',
    roles: 'Travel in the token. They never give anybody a role on this platform.',
    publicDashboardId: 'The public id of the dashboard to show.',
    isEphemeral: 'Travels in the token.',
    settings: 'Overrides for this session alone; keys left out keep their defaults.',
  },
  PageInfo: {
    hasNextPage: 'Whether there are items behind this page.',
    hasPreviousPage: 'Whether there is an item before this page, for one that was reached by a cursor.',
    startCursor: 'The cursor of the first item; null on an empty page.',
    endCursor: 'The cursor of the last item, for `after`; null on an empty page.',
  },
  Workbook: {
    type: 'The kind of entry.',
    folderPath: 'The folders the workbook lies in, root first, by their current names.',
    publishedDashboard: 'The dashboard that is shown to end users.',
    user: 'Who owns the workbook.',
  },
  Dashboard: { publicId: 'The id by which embeds name the dashboard.' },
  DbtSync: {
    source: 'Where the dbt project came from.',
    durationMs: 'Milliseconds from start to completion.',
    failedPhase: 'The phase in which it failed.',
    lastStage: 'The last stage it came to.',
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
    sessionId: 'A credential: to be redeemed once, within five minutes. Hand it to the end user’s browser only.',
  },
  DryRun: {
    claims: 'What the token would say; its `jti` is one that no token will have.',
    tokenBytes: 'How long the token would be.',
    limits: 'The longest token in bytes, and how long a session and a token live, in seconds.',
  },
  EmbedTokenClaims: {
    sub: 'The end user, unique within the issuer.',
    jti: 'Ties session and token together in the audit.',
    userId: 'The internal user, for sessions with `internalId`.',
    securityContext: 'As given, with `platformCloud.groups` where groups or tenant groups were given.',
  },
  EmbedToken: {
    token: 'The signed JWT. Its claims are those of `EmbedTokenClaims`.',
    expiresIn: 'How long it lives from now, in seconds.',
  },
}

/** Fields that are still accepted, and to be left out. */
export const deprecatedFields: Readonly<Record<string, readonly string[]>> = { GenerateSession: ['groupDefinitions'] }
