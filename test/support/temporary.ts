import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, onTestFinished } from 'vitest'

/** A directory for the tests of a file or of a `describe`. It is removed after them. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'embed-access-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/**
 * Writes a file of a directory, gzipped if its name ends so. Lines may be texts or changes.
 * @returns its path
 */
export async function fileIn(
  directory: string,
  name: string,
  content: Buffer | readonly (string | object)[],
) {
  const path = join(directory, name)
  const lineOf = (line: string | object) => (typeof line === 'string' ? line : JSON.stringify(line))
  const text = Buffer.isBuffer(content) ? content : content.map(lineOf).join('\n')
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text)
  return path
}

/**
 * Lets a server listen on this machine until `end` is called, with its requests. It may listen
 * again after that.
 */
export async function listening(server: Server, port = 0) {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async end(): Promise<void> {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Serves on this machine until the end of the test, or until `end` is called. */
export async function serving(handle: RequestListener) {
  const served = await listening(createServer(handle))
  onTestFinished(served.end)
  return served
}
