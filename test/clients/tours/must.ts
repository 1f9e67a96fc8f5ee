declare const process: { readonly argv: readonly string[] }
export const [, , baseUrl = '', key = ''] = process.argv
export function must(isSo: unknown): asserts isSo {
  if (!isSo) throw new Error('Not as the types say.')
}
