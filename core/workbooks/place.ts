import { ascending } from '../storage/keys.ts'

/**
 * Where a folder or workbook lies, as a sort key: the ids of its folders, root first, such as `/a5/b12/`, and for a
 * workbook its own id, `/a5/b12/-c100`. So all that lies below a folder is one key range, at any depth.
 */
export const folderPlace = (folderIds: readonly number[]): string =>
  `/${folderIds.map((id) => `${ascending(id)}/`).join('')}`

export const workbookPlace = (folderIds: readonly number[], workbookId: number): string =>
  `${folderPlace(folderIds)}-${ascending(workbookId)}`

/** Sorts behind all that lies in the folder. */
export const endOf = (folderPlace: string): string => `${folderPlace}~`

export const workbookIdIn = (place: string): number => Number(/\d+$/.exec(place)?.[0])

/** The folder ids in a place, root first. */
export const folderIdsIn = (place: string): number[] =>
  place
    .split('/')
    .slice(1, -1)
    .map((id) => Number(id.slice(1)))
