import { clinics, commerce, operations } from './accounts.ts'
import { type Change, type JsonObject, put } from './change.ts'
import { folderAt } from './folders.ts'
import { workbooks } from './workbooks.ts'

type Grantee = { type: 'embedTenant'; name: string } | { type: 'allEmbedUsers' }

const everyone: Grantee = { type: 'allEmbedUsers' }
const tenant = (name: string): Grantee => ({ type: 'embedTenant', name })

const share = (deploymentId: number, resource: JsonObject, grantee: Grantee): Change =>
  put('share', { deploymentId, resource, grantee })

const folder = (deploymentId: number, path: string, ...grantees: Grantee[]): Change[] =>
  grantees.map((grantee) => share(deploymentId, { type: 'folder', id: folderAt(deploymentId, path).id }, grantee))

/** Shares the nth, n+step-th, … workbook directly in a folder ('' is the top level), at most `count`. */
function some(deploymentId: number, path: string, [nth, step, count]: number[], ...grantees: Grantee[]): Change[] {
  const folderId = path === '' ? null : folderAt(deploymentId, path).id
  return workbooks
    .filter((each) => each.deploymentId === deploymentId && each.folderId === folderId)
    .filter((_, index) => index >= (nth ?? 0) && (index - (nth ?? 0)) % (step ?? 1) === 0)
    .slice(0, count)
    .flatMap(({ id }) => grantees.map((grantee) => share(deploymentId, { type: 'workbook', id }, grantee)))
}

export const shares = (): Change[] => [
  // Folders of the partner portal; the ones below 'Alder & Oak' and 'Brightwater' lie within one that is shared.
  ...folder(commerce, 'Partner Portal/Shared With Everyone', everyone),
  ...folder(commerce, 'Partner Portal/Alder & Oak', tenant('alder-oak')),
  ...folder(commerce, 'Partner Portal/Alder & Oak/Monthly Pack/2026/Q1', tenant('alder-oak')),
  ...folder(commerce, 'Partner Portal/Alder & Oak/Monthly Pack/2026/Q1/Board Copies', everyone),
  ...folder(commerce, 'Partner Portal/Brightwater', tenant('brightwater')),
  ...folder(
    commerce,
    'Partner Portal/Brightwater/Stock and Sell-through',
    tenant('brightwater'),
    tenant('nimbus-outfitters'),
  ),
  ...folder(commerce, 'Partner Portal/Casa Lumen', tenant('casa-lumen')),
  ...folder(commerce, 'Partner Portal/Fjordhus', tenant('fjordhus')),
  ...folder(commerce, 'Merchandising/Pricing', tenant('brightwater'), tenant('casa-lumen')),
  ...folder(commerce, 'Sales/Retail Stores/North Region', tenant('fjordhus')),

  // In every way at once: in a folder shared with the tenant, shared with the tenant, shared with everyone.
  ...some(commerce, 'Partner Portal/Alder & Oak/Monthly Pack/2026/Q1', [0, 1, 1], tenant('alder-oak'), everyone),
  ...some(
    commerce,
    'Partner Portal/Shared With Everyone',
    [0, 1, 1],
    everyone,
    tenant('alder-oak'),
    tenant('brightwater'),
    tenant('casa-lumen'),
  ),

  // Workbooks one by one.
  ...some(commerce, '', [0, 4, 4], everyone),
  ...some(commerce, '', [0, 3, 5], tenant('alder-oak')),
  ...some(commerce, '', [1, 5, 3], tenant('brightwater')),
  ...some(commerce, 'Marketing/Lifecycle/Email/Winback Series', [0, 1, 3], tenant('casa-lumen')),
  ...some(commerce, 'Marketing/Paid Media/Social', [0, 2, 2], tenant('casa-lumen'), everyone),
  ...some(commerce, 'Sales/Online/Returns', [0, 1, 2], tenant('alder-oak'), tenant('brightwater')),
  ...some(commerce, 'Sales/Wholesale/Key Accounts', [1, 2, 2], tenant('nimbus-outfitters')),
  ...some(commerce, 'Sales/Retail Stores/North Region/Great Lakes/Flagship Stores', [0, 2, 2], tenant('fjordhus')),

  ...folder(operations, 'Client Reporting', everyone),
  ...folder(operations, 'Client Reporting/Logistics Scorecards', tenant('brightwater'), tenant('fjordhus')),
  ...folder(operations, 'Operations/Warehouses/Rotterdam', tenant('fjordhus')),
  ...some(operations, '', [2, 4, 3], everyone),
  ...some(operations, '', [0, 5, 2], tenant('alder-oak'), tenant('casa-lumen')),
  ...some(operations, 'Operations/Suppliers', [0, 1, 2], tenant('nimbus-outfitters')),
  ...some(operations, 'Client Reporting/Logistics Scorecards/Quarterly', [0, 2, 2], tenant('brightwater'), everyone),

  // Tidewater has an embed tenant of the same name; nothing of it is Harborline's.
  ...folder(clinics, 'Billing', tenant('brightwater')),
  ...some(clinics, '', [0, 2, 1], everyone),
]
