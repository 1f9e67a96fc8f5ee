/** Values that the document shows. A test holds each of them against its schema. */

export const sessionId = 'q2xWUL8Y3oAk0Wc7J5m1vRZbS4nTtE6dHfGiKpNyXuA'

export const workbook = {
  id: 100,
  deploymentId: 1001,
  name: 'Revenue by region',
  meta: {},
  calculatedFields: {},
  createdAt: '2026-01-12T09:30:00Z',
  updatedAt: '2026-03-02T14:05:00Z',
  type: 'WORKBOOK',
  createdBy: 17,
  folderId: 12,
  publishedDashboard: {
    id: 4210,
    publicId: 'pub-4210',
    deploymentId: 1001,
    workbookId: 100,
    status: 'published',
    allowEmbed: true,
    config: {
      kind: 'CLASSIC',
      title: 'Revenue',
      widgets: [{ id: 'w1', type: 'CHART', position: { x: 0, y: 0, w: 6, h: 4 } }],
    },
    versionNumber: 3,
    versionId: 9003,
    reportSnapshots: [{ id: 1, reportId: 71, versionNumber: 2, kind: 'vega', name: 'Revenue' }],
  },
  slug: 'revenue-by-region',
  user: { id: 17, email: 'priya.raman@harborline.example', firstName: 'Priya', picture: null },
  folderPath: [
    { id: 5, name: 'Sales' },
    { id: 12, name: 'Regions' },
  ],
}

export const noMorePages = {
  hasNextPage: false,
  hasPreviousPage: false,
  startCursor: 'm0Yk1xP9sQeRt7uVwXyZaBMjAyNi0wNi0wMQ',
  endCursor: 'm0Yk1xP9sQeRt7uVwXyZaBMjAyNi0wNi0wMQ',
}

export const dbtSync = {
  syncJobId: 'sync-2026-06-01-0007',
  deploymentId: 1001,
  branchName: 'main',
  source: 'github',
  startedAt: '2026-06-01T06:00:00Z',
  status: 'FAILED',
  trigger: 'webhook',
  completedAt: '2026-06-01T06:01:12Z',
  durationMs: 72_000,
  errorMessage: 'Model orders: column discount does not exist.',
  failedPhase: 'compile',
  gitRef: 'refs/heads/main',
  lastStage: 'compile',
  phases: [
    { phase: 'clone', outcome: 'success', durationMs: 8000, startedOffsetMs: 0 },
    { phase: 'compile', outcome: 'failure', durationMs: 64_000, startedOffsetMs: 8000 },
  ],
  stats: { dbtVersion: '1.9.1', models: 48, macros: 12, sources: 9 },
  triggerContext: { headSha: '4b825dc642cb6eb9a060e54bf8d69288fbee4904', pushedBranch: 'main' },
}

export const notification = {
  id: 301,
  deploymentId: 1001,
  dashboardId: 4210,
  cronExpression: '0 8 * * 1',
  humanReadableSchedule: 'Mondays at 08:00',
  timezone: 'Europe/Oslo',
  isEnabled: true,
  notificationEnabled: true,
  notificationAiSummary: false,
  notificationFormat: 'pdf',
  filters: [{ member: 'orders.region', operator: 'equals', value: 'north' }],
  memberSwitchers: [{ member: 'orders.measure', selected: 'revenue' }],
  timeGrains: [{ grain: 'week', member: 'orders.created_at' }],
}

export const dryRun = {
  claims: {
    deploymentId: 1001,
    embedTenantName: 'alder-oak',
    externalId: 'user-1',
    accountId: 'harborline',
    securityContext: { storeId: 42, platformCloud: { groups: ['finance'] } },
    iss: 'https://api.example.com',
    aud: 'https://api.example.com',
    sub: 'harborline#external#alder-oak#user-1',
    iat: 1_780_315_200,
    nbf: 1_780_315_200,
    exp: 1_780_401_600,
    jti: 'Zk3v9QbW1xLr8sTnYc0aEg',
  },
  tokenBytes: 717,
  limits: { maxTokenBytes: 7168, sessionSeconds: 300, tokenSeconds: 86_400 },
}

export const embedToken = { token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImVtYmVkK2p3dCJ9.e30.c2lnbmF0dXJl', expiresIn: 86_400 }

export const keySet = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      kid: '8gTj1n0tGqf6mLwM0aZfNlqX2u5O4kQ3eR7dYb9sVcI',
      alg: 'ES256',
      use: 'sig',
    },
  ],
}
