import { clinics, commerce, operations } from './accounts.ts'
import { type Change, put } from './change.ts'
import type { SubjectName } from './subjects.ts'

/** A folder and what its workbooks are about; without a subject, what its parent's are about. */
type Branch = { [name: string]: Branch | SubjectName } & { about?: SubjectName }

const trees: [deploymentId: number, firstId: number, tree: Branch][] = [
  [
    commerce,
    101,
    {
      about: 'orders',
      Sales: {
        'Retail Stores': {
          'North Region': {
            'Great Lakes': { 'Flagship Stores': { 'Weekly Reviews': {} } },
            'New England': {},
          },
          'South Region': { 'Gulf Coast': {} },
        },
        Online: { 'Checkout Funnel': 'web', Returns: 'returns' },
        Wholesale: { 'Key Accounts': {}, Quotes: {} },
      },
      Marketing: {
        about: 'campaigns',
        'Paid Media': { Search: {}, Social: {} },
        Lifecycle: { Email: { 'Winback Series': {} } },
        Brand: 'web',
      },
      'Partner Portal': {
        'Shared With Everyone': {},
        'Alder & Oak': { 'Monthly Pack': { '2026': { Q1: { 'Board Copies': {} } } } },
        Brightwater: { 'Stock and Sell-through': 'inventory' },
        'Casa Lumen': { Promotions: 'campaigns' },
        Fjordhus: {},
      },
      Merchandising: { about: 'inventory', Assortment: {}, Pricing: {} },
      Sandbox: {},
    },
  ],
  [
    operations,
    201,
    {
      about: 'finance',
      Finance: { Close: { 'Month End': { Reconciliations: {} } }, Planning: { 'Budget 2026': {} }, Cash: {} },
      Operations: {
        about: 'inventory',
        Warehouses: {
          Reno: { Inbound: { about: 'shipments', 'Dock Schedule': { Exceptions: {} } } },
          Rotterdam: {},
        },
        Fleet: 'shipments',
        Suppliers: 'shipments',
      },
      'Customer Care': { about: 'tickets', 'Service Levels': {}, 'Voice of the Customer': {} },
      'Client Reporting': { 'Logistics Scorecards': { about: 'shipments', Quarterly: {} } },
    },
  ],
  [clinics, 301, { about: 'appointments', 'Patient Access': { 'Front Desk': {} }, Billing: 'finance' }],
]

export type Folder = {
  deploymentId: number
  id: number
  name: string
  parentId: number | null
  path: string
  about: SubjectName
}

/** Parents come before their children. */
function grow(deploymentId: number, firstId: number, tree: Branch): Folder[] {
  const grown: Folder[] = []
  const add = (branch: Branch, parent: Folder | undefined, inherited: SubjectName): void => {
    for (const [name, value] of Object.entries(branch)) {
      if (name === 'about') continue
      const child: Branch = typeof value === 'string' ? { about: value } : (value ?? {})
      const about = child.about ?? inherited
      const path = parent ? `${parent.path}/${name}` : name
      const folder = { deploymentId, id: firstId + grown.length, name, parentId: parent?.id ?? null, path, about }
      grown.push(folder)
      add(child, folder, about)
    }
  }
  add(tree, undefined, tree.about ?? 'orders')
  return grown
}

export const folders: Folder[] = trees.flatMap(([deploymentId, firstId, tree]) => grow(deploymentId, firstId, tree))

export function folderAt(deploymentId: number, path: string): Folder {
  const found = folders.find((folder) => folder.deploymentId === deploymentId && folder.path === path)
  if (!found) throw new Error(`no folder ${path} in deployment ${deploymentId}`)
  return found
}

export const folderChanges = (): Change[] =>
  folders.map(({ deploymentId, id, name, parentId }) => put('folder', { deploymentId, id, name, parentId }))
