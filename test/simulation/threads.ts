/** Calls of Web Crypto that are under way. Unlike all else, they take a thread and a while. */
let underWay = 0

for (const name of ['digest', 'importKey', 'sign', 'verify'] as const) {
  const call = crypto.subtle[name].bind(crypto.subtle) as (...given: never[]) => Promise<unknown>
  const counted = (...given: never[]) => {
    underWay += 1
    return call(...given).finally(() => (underWay -= 1))
  }
  Object.defineProperty(crypto.subtle, name, { value: counted, configurable: true })
}

/** Waits until no promise can go on by itself. */
export async function untilAllStand(): Promise<void> {
  do await new Promise<void>((resolve) => setImmediate(resolve))
  while (underWay > 0)
}
