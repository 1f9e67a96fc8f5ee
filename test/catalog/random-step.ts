import fc from 'fast-check'
import type { Share } from '../workbooks/model.ts'
import type { Step } from './steps.ts'

const folderId = fc.integer({ min: 1, max: 6 })
const workbookId = fc.integer({ min: 11, max: 16 })
const shares: fc.Arbitrary<Share> = fc.oneof(
  fc.record({
    type: fc.constant('folder' as const),
    id: folderId,
    tenant: fc.constantFrom('north', 'south', null),
  }),
  fc.record({
    type: fc.constant('workbook' as const),
    id: workbookId,
    tenant: fc.constantFrom('north', 'south', null),
  }),
)

export const randomStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('putFolder' as const), id: folderId, parentId: fc.option(folderId) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('endFolder' as const), id: folderId }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('putWorkbook' as const), id: workbookId, folderId: fc.option(folderId) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('endWorkbook' as const), id: workbookId }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('share' as const), share: shares }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unshare' as const), share: shares }) },
)
