import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasChromium, launchChromium, withoutChromium } from '../browser/chromium.ts'
import { expect, type Options, start, step } from './shell.ts'

/** Where the tutorial's parts listen, in place of the ports that it names. */
type Ports = Readonly<Record<'8787' | '3001' | '4000' | '4001', number>>

type Part = { readonly file?: string; readonly language: string; readonly text: string }

/**
 * Follows docs/embed-a-page.md: pastes each block, in its order, into the file that it names or
 * into a shell, and looks at the page at the end.
 * @param running gets what goes on running
 * @throws Error if a block of code names no file, or the page does not show what it should
 */
export async function followTutorial(
  { cwd, env }: Options,
  ports: Ports,
  running: ChildProcess[],
): Promise<void> {
  const written = await readFile(join(cwd, 'docs/embed-a-page.md'), 'utf8')
  const page = written.replaceAll(
    /\b(8787|3001|4000|4001)\b/g,
    (port) => `${ports[port as '4000']}`,
  )
  const [, shows = ''] = /It says "(.*)"/.exec(page) ?? []
  let folder = cwd
  for (const { file, language, text } of partsOf(page)) {
    const at = { cwd: folder, env }
    const name = text.trim().split('\n').at(-1) ?? ''
    if (language !== 'sh') await writeFile(join(folder, wholeFile(file, text)), text)
    else if (/^node |npm start/.test(name)) running.push(await start(name, text, isUp, at))
    else folder = await endOf(text, at)
  }
  const [host, embedded, service] = [ports[4000], ports[4001], ports[8787]].map(
    (port) => `http://127.0.0.1:${port}`,
  ) as [string, string, string]
  if (hasChromium) await lookAtPage(host, embedded, shows)
  else await callAsPage(host, embedded, service, shows)
}

/** What a server of the tutorial prints as soon as it answers. */
const isUp = /Listening on|Ready|Open http/

/** The blocks of the page, each with the file that the line in front of it begins with. */
const partsOf = (page: string): readonly Part[] =>
  [...page.matchAll(/(?:^`(\w+\.\w+)`.*:\n\n)?^```((?!mermaid)\w+)\n([\s\S]*?)^```/gm)].map(
    ([, file, language = '', text = '']) => ({ ...(file && { file }), language, text }),
  )

function wholeFile(file: string | undefined, text: string): string {
  if (!file) throw new Error(`docs/embed-a-page.md names no file for this block:\n${text}`)
  return file
}

/** Runs commands. @returns the folder in which they end, where the next ones run */
async function endOf(commands: string, options: Options): Promise<string> {
  const name = `${commands.split('\n')[0]} …`
  const printed = await step(name, `set -e\n${commands}node -p 'process.cwd()'`, options)
  return printed.trim().split('\n').at(-1) ?? ''
}

async function lookAtPage(host: string, embedded: string, shows: string): Promise<void> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(host)
    await page.frameLocator('iframe').getByText(shows).waitFor()
    const { sessionId } = await page.evaluate<{ sessionId: string }>(
      `fetch('/session', { method: 'POST' }).then((answer) => answer.json())`,
    )
    // Whoever sends such a link would make its reader act in the sender's session.
    const tab = await browser.newPage()
    await tab.goto(`${embedded}/?session=${sessionId}`)
    await tab.getByText('This page is not embedded.').waitFor()
  } finally {
    await browser.close()
  }
  process.stdout.write(`ok  the own page shows "${shows}" in Chromium\n`)
}

/** The calls that the page and the page in it make, in their order. */
async function callAsPage(
  host: string,
  embedded: string,
  service: string,
  shows: string,
): Promise<void> {
  expect(await (await fetch(host)).text(), RegExp(`<embed-frame .*src="${embedded}/"`))
  expect(await (await fetch(embedded)).text(), /<script type="module">/)
  const generated = await fetch(`${host}/session`, { method: 'POST', headers: { origin: host } })
  const redeemed = await fetch(`${service}/api/v1/embed/session/token`, {
    method: 'POST',
    headers: { origin: embedded, 'content-type': 'application/json' },
    body: await generated.text(),
  })
  expect(`${redeemed.headers.get('access-control-allow-origin')}`, RegExp(`^${embedded}$`))
  const { token } = (await redeemed.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  expect(await (await fetch(`${embedded}/greeting`, { headers })).text(), RegExp(`^${shows}$`))
  process.stdout.write(`ok  the own page's calls end with "${shows}". ${withoutChromium}\n`)
}
