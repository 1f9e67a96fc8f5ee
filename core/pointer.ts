/**
 * The JSON pointer (RFC 6901) of these keys. Without keys it means the whole document.
 * @example pointerTo(['groups', '0']) // '/groups/0'
 */
export const pointerTo = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
