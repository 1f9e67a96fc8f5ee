import { omissions } from './test/simulation/omissions.ts'
import { failureOf } from './test/simulation/shrink.ts'

const [seeds = '200', only = '.'] = process.argv.slice(2)
for (const [name, omission] of Object.entries(omissions)) {
  if (!RegExp(only).test(name)) continue
  const found = []
  for (let seed = 0; seed < Number(seeds); seed += 1) if (await failureOf({ seed, omission })) found.push(seed)
  console.log(String(found.length).padStart(4), 'first', found.slice(0, 8).join(), name)
}
