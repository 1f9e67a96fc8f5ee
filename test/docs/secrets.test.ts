import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const pages = readdirSync('docs').filter((name) => name.endsWith('.md'))

test.each(pages)('%s puts no key and no token among the arguments of a program', (name) => {
  const shell = [...readFileSync(join('docs', name), 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)]
  for (const [, commands = ''] of shell) {
    // `printf` is the shell's own, so its arguments are nobody else's.
    expect(commands).not.toMatch(/(-H|--header) *["'][^"']*(Bearer|Api-Key|Embed-Token) \$/)
    expect(commands).not.toMatch(/--key[ =]"?\$/)
  }
})
