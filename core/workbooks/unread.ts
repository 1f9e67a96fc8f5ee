import { endOf } from './place.ts'
import { coveringPlace } from './shared-folders.ts'

/** A part of an index that was not read yet: from this place on, inclusive. */
export type Unread = UnreadShares | UnreadContents

type UnreadShares = {
  readonly source: 'direct'
  readonly index: string
  readonly partition: string
  readonly from: string
  /** Where it ends, inclusive; left out: it doesn't. */
  readonly to?: string
}

/** Shared folders in a row, in order; what lies between them is read for nothing. */
export type UnreadContents = {
  readonly source: 'folder'
  readonly index: 'byFolder'
  readonly partition: string
  readonly from: string
  readonly to: string
  readonly folders: readonly string[]
}

/** Those of these folders, in a row, that go on behind a place; none if there are none. */
export function inARow(partition: string, folders: readonly string[], from: string): UnreadContents[] {
  const left = folders.filter((place) => endOf(place) > from)
  const [first, last] = [left[0], left.at(-1)]
  if (first === undefined || last === undefined) return []
  const begin = first > from ? first : from
  return [{ source: 'folder', index: 'byFolder', partition, from: begin, to: endOf(last), folders: left }]
}

/** Those of these folders that go on behind a place, each for itself. */
export const oneByOne = (partition: string, folders: readonly string[], from: string): UnreadContents[] =>
  folders.flatMap((place) => inARow(partition, [place], from))

export const isOfFolders = (range: Unread): range is UnreadContents => range.source === 'folder'

/** Direct shares are read on behind the shared folder that the range begins in, unless it lies within one. */
export function beyondFolders(range: Unread, shared: readonly string[]): Unread {
  const folder = range.to === undefined ? coveringPlace(shared, range.from) : undefined
  return folder === undefined ? range : { ...range, from: endOf(folder) }
}

/** Ranges in order of their beginnings. */
export const inOrder = (ranges: readonly Unread[]): Unread[] => ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))
