import { createHash } from 'node:crypto'
import { type Change, type JsonObject, put } from './change.ts'
import { demoKeys } from './keys.ts'

export const commerce = 1001
export const operations = 1002
export const clinics = 2001

type User = {
  accountId: string
  id: number
  email: string
  username?: string
  firstName?: string
  picture?: string
  roles: string[]
  deploymentIds: 'all' | number[]
}

const face = (name: string): string => `https://img.harborline.example/people/${name}.png`

export const users: User[] = [
  {
    accountId: 'harborline',
    id: 1,
    email: 'ines.carvalho@harborline.example',
    username: 'ines',
    firstName: 'Ines',
    picture: face('ines'),
    roles: ['admin'],
    deploymentIds: 'all',
  },
  {
    accountId: 'harborline',
    id: 2,
    email: 'tobias.lindqvist@harborline.example',
    firstName: 'Tobias',
    picture: face('tobias'),
    roles: ['admin', 'developer'],
    deploymentIds: 'all',
  },
  {
    accountId: 'harborline',
    id: 3,
    email: 'priya.raman@harborline.example',
    username: 'priya',
    firstName: 'Priya',
    roles: ['analyst'],
    deploymentIds: [commerce],
  },
  {
    accountId: 'harborline',
    id: 4,
    email: 'marcus.oyelaran@harborline.example',
    firstName: 'Marcus',
    picture: face('marcus'),
    roles: ['analyst', 'developer'],
    deploymentIds: [commerce, operations],
  },
  {
    accountId: 'harborline',
    id: 5,
    email: 'helena.brandt@harborline.example',
    firstName: 'Helena',
    roles: ['viewer'],
    deploymentIds: [operations],
  },
  {
    accountId: 'harborline',
    id: 6,
    email: 'kenji.morimoto@harborline.example',
    firstName: 'Kenji',
    roles: ['analyst'],
    deploymentIds: 'all',
  },
  { accountId: 'harborline', id: 7, email: 'Fiona.Macrae@harborline.example', roles: ['viewer'], deploymentIds: 'all' },
  {
    accountId: 'harborline',
    id: 8,
    email: 'luis.ferrandiz@harborline.example',
    firstName: 'Luis',
    picture: face('luis'),
    roles: ['analyst'],
    deploymentIds: [operations],
  },
  {
    accountId: 'harborline',
    id: 9,
    email: 'amara.diallo@harborline.example',
    firstName: 'Amara',
    roles: ['viewer'],
    deploymentIds: [commerce],
  },
  {
    accountId: 'harborline',
    id: 10,
    email: 'dbt-runner@harborline.example',
    username: 'dbt-runner',
    roles: ['developer'],
    deploymentIds: [commerce, operations],
  },
  { accountId: 'harborline', id: 11, email: 'guest.auditor@auditworks.example', roles: [], deploymentIds: [] },
  {
    accountId: 'tidewater',
    id: 51,
    email: 'odile.marchetti@tidewater.example',
    firstName: 'Odile',
    roles: ['admin'],
    deploymentIds: 'all',
  },
  {
    accountId: 'tidewater',
    id: 52,
    email: 'sam.whitlock@tidewater.example',
    firstName: 'Sam',
    roles: ['analyst'],
    deploymentIds: [clinics],
  },
]

const apiKey = (accountId: string, userId: number, name: string, key: string, more: JsonObject = {}): Change => {
  const tokenHash = createHash('sha256').update(key).digest('hex')
  return put('apiKey', { accountId, tokenHash, userId, name, ...more })
}

export const accounts = (): Change[] => [
  put('account', {
    id: 'harborline',
    name: 'Harborline Home Supply',
    embeddingEnabled: true,
    oidc: { issuer: 'https://login.harborline.example', audience: 'analytics', userClaim: 'email' },
  }),
  put('account', { id: 'tidewater', name: 'Tidewater Clinics', embeddingEnabled: false }),
]

export const userChanges = (): Change[] => users.map((user) => put('user', user))

export const apiKeys = (): Change[] => [
  apiKey('harborline', 1, 'Back office', demoKeys.admin),
  apiKey('harborline', 2, 'Commerce automation', demoKeys.adminOfFirstDeployment, { deploymentIds: [commerce] }),
  apiKey('harborline', 3, 'Priya, notebooks', demoKeys.analyst),
  apiKey('tidewater', 51, 'Tidewater reporting', demoKeys.otherAccount),
  apiKey('harborline', 1, 'Back office 2025', demoKeys.expired, { expiresAt: '2026-01-01T00:00:00Z' }),
]

export const deployments = (): Change[] => [
  put('deployment', { accountId: 'harborline', id: commerce, name: 'Commerce' }),
  put('deployment', { accountId: 'harborline', id: operations, name: 'Finance & Operations' }),
  put('deployment', { accountId: 'tidewater', id: clinics, name: 'Clinics' }),
]

/** Those who may read a deployment: they own its workbooks and receive its notifications. */
export const readersOf = (deploymentId: number): User[] => {
  const accountId = deploymentId === clinics ? 'tidewater' : 'harborline'
  return users.filter(
    (user) =>
      user.accountId === accountId &&
      (user.roles.includes('admin') || user.deploymentIds === 'all' || user.deploymentIds.includes(deploymentId)),
  )
}
