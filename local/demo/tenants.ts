import { type Change, put } from './change.ts'

type Tenant = {
  name: string
  displayName?: string
  /** The tenant's end users, by the id its own application knows them by. */
  externalIds: string[]
  groups: [name: string, description?: string][]
}

/** The retailers that Harborline supplies. Nothing is shared with quillfield itself. */
export const tenants: Tenant[] = [
  {
    name: 'alder-oak',
    displayName: 'Alder & Oak Furnishings',
    externalIds: ['ao-1001', 'ao-1002', 'ao-1003', 'maren.holt@alder-oak.example'],
    groups: [
      ['buyers', 'Order from Harborline every week'],
      ['store-managers', 'One for each of the 14 stores'],
      ['board', 'Sees the monthly pack'],
    ],
  },
  {
    name: 'brightwater',
    displayName: 'Brightwater Bath',
    externalIds: ['bw-felix', 'bw-nadia', 'bw-yusuf'],
    groups: [['buyers', 'Bathroom textiles and fittings'], ['logistics']],
  },
  {
    name: 'casa-lumen',
    displayName: 'Casa Lumen',
    externalIds: ['giulia.ferri@casa-lumen.example', 'cl-77', 'cl-78'],
    groups: [
      ['promotions', 'Plans the seasonal campaigns'],
      ['finance', 'Reads invoices and rebates'],
    ],
  },
  { name: 'fjordhus', displayName: 'Fjordhus Nordic Living', externalIds: ['fh-001', 'fh-002'], groups: [['buyers']] },
  { name: 'nimbus-outfitters', externalIds: ['nimbus|4410', 'nimbus|4411'], groups: [['planners', 'Demand planning']] },
  { name: 'quillfield', displayName: 'Quillfield Paper Co.', externalIds: ['qf-eleanor'], groups: [] },
]

export const embedTenants = (): Change[] => [
  ...tenants.map(({ name, displayName }) =>
    put('embedTenant', { accountId: 'harborline', name, ...(displayName ? { displayName } : {}) }),
  ),
  put('embedTenant', { accountId: 'tidewater', name: 'brightwater', displayName: 'Brightwater Hospital Network' }),
]

export const groups = (): Change[] => [
  put('group', { accountId: 'harborline', name: 'finance', description: 'May see margins and cost prices' }),
  put('group', { accountId: 'harborline', name: 'emea', description: 'Rows of Europe, the Middle East and Africa' }),
  put('group', { accountId: 'harborline', name: 'north-america', description: 'Rows of the USA and Canada' }),
  put('group', { accountId: 'harborline', name: 'buyers', description: 'May see order lines and lead times' }),
  put('group', { accountId: 'harborline', name: 'Key Account Managers' }),
  put('group', {
    accountId: 'harborline',
    name: 'pii-readers',
    description: 'May see names and addresses of shoppers',
  }),
  put('group', { accountId: 'tidewater', name: 'finance', description: 'Billing office' }),
  put('group', { accountId: 'tidewater', name: 'clinicians' }),
]

export const tenantGroups = (): Change[] =>
  tenants.flatMap((tenant) =>
    tenant.groups.map(([name, description]) =>
      put('tenantGroup', {
        accountId: 'harborline',
        embedTenantName: tenant.name,
        name,
        ...(description ? { description } : {}),
      }),
    ),
  )
