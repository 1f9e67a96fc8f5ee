/** A JSON pointer (RFC 6901) to what these keys lead to; the whole document where there are none. */
export const pointerTo = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
