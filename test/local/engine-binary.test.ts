import { expect, test } from 'vitest'
import { engineBinary } from '../../local/engine.ts'

test('without an engine for the platform, the error names a command for another', () => {
  const onMainframe = () => engineBinary({ platform: 'linux', arch: 's390x' })
  expect(onMainframe).toThrow(
    /^There is no embedded DynamoDB engine for linux-s390x\. Run `docker run .+DYNAMODB_ENDPOINT/,
  )
})
