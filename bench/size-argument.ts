import { parseArgs } from 'node:util'

/**
 * The one argument of a benchmark: how many workbooks. Prints the help and ends if it is asked to, or if the argument
 * is no size.
 */
export function sizeArgument(help: string, byDefault: number): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
  const size = Number(positionals[0] ?? byDefault)
  if (values.help) {
    process.stdout.write(help)
    process.exit()
  }
  if (positionals.length > 1 || !Number.isSafeInteger(size) || size < 1) {
    process.stderr.write(help)
    process.exit(1)
  }
  return size
}
