import { describe, expect, it } from 'vitest'
import { echo, eventOf, gatewayWith, handled, serve } from './serve.ts'

describe('The event a function receives', () => {
  const gateway = gatewayWith(
    ...['GET /a', 'POST /a', 'GET /capture/{a}', 'GET /capture/{a}/{b}'].map((routeKey) =>
      echo(routeKey),
    ),
  )

  it('has the shape of payload format 2.0', async () => {
    const receivedAt = Date.UTC(2020, 2, 12, 19, 3, 58, 123)
    const gateway = await serve({ routes: [echo('GET /a/{name}')], now: () => receivedAt })
    const answer = await gateway.send('/a/one?x=1', {
      headers: { Host: 'api.example.com:8080', 'User-Agent': 'test' },
    })

    expect(eventOf(answer)).toEqual({
      version: '2.0',
      routeKey: 'GET /a/{name}',
      rawPath: '/a/one',
      rawQueryString: 'x=1',
      headers: {
        'content-length': '0',
        host: 'api.example.com:8080',
        'user-agent': 'test',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-5e6a879e-[0-9a-f]{24}$/),
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': String(gateway.port),
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { x: '1' },
      pathParameters: { name: 'one' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'api.example.com',
        domainPrefix: 'api',
        http: {
          method: 'GET',
          path: '/a/one',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'test',
        },
        requestId: answer.headers['apigw-requestid'],
        routeKey: 'GET /a/{name}',
        stage: '$default',
        time: '12/Mar/2020:19:03:58 +0000',
        timeEpoch: receivedAt,
      },
      isBase64Encoded: false,
    })
    expect(gateway.logged).toEqual([`GET /a/one 200 0ms ${answer.headers['apigw-requestid']}`])
  })

  it('leaves out what the request does not have', async () => {
    const event = eventOf(await gateway.send('/a'))
    for (const absent of ['body', 'queryStringParameters', 'pathParameters']) {
      expect(event).not.toHaveProperty(absent)
    }
    expect(event.rawQueryString).toBe('')
    expect(event.requestContext).not.toHaveProperty('authorizer')
    expect(event.requestContext.http.userAgent).toBe('')
  })

  it('has header names in small letters, repeated ones joined, and no cookies', async () => {
    const lines = [
      'Host: h',
      'X-Two: 1',
      'x-two: 2',
      'Authorization: one',
      'Authorization: two',
      'X-Forwarded-For: 10.1.1.1',
    ]
    const sent = [
      'GET /a HTTP/1.1',
      ...lines,
      'Cookie: session=abc; theme=dark',
      'Connection: close',
      '',
      '',
    ]
    const text = await gateway.sendRaw(sent.join('\r\n'))
    const { headers } = JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
    const joined = {
      'x-two': '1,2',
      authorization: 'one,two',
      'x-forwarded-for': '10.1.1.1, 127.0.0.1',
    }
    expect(headers).toMatchObject(joined)
    expect(headers).not.toHaveProperty('connection')
    expect(text).not.toMatch(/cookie|session=abc/i)
  })

  it('decodes query parameters, joins repeated ones, and keeps the raw string', async () => {
    const query = '?b=1&r=one&r=two&u=https%3A%2F%2Fx%2Fy&space=a+b&plus=a%2Bb&empty=&bare&bad=%zz'
    const event = eventOf(await gateway.send(`/a?${query}`))
    expect(event.rawQueryString).toBe(query)
    expect(event.queryStringParameters).toEqual({
      '?b': '1',
      r: 'one,two',
      u: 'https://x/y',
      space: 'a b',
      plus: 'a+b',
      empty: '',
      bare: '',
      bad: '%zz',
    })
  })

  it.each([
    ['/capture/space%20value', '/capture/space value'],
    ['/capture/question%3Fvalue', '/capture/question'],
    ['/capture/hash%23value', '/capture/hash#value'],
    ['/capture/unicode-%CE%BB-%E4%B8%96%E7%95%8C', '/capture/unicode-λ-世界'],
    ['/capture/literal%252Fvalue', '/capture/literal/value'],
    ['/capture/literal%253Fvalue', '/capture/literal?value'],
    ['/capture/literal%2525value', '/capture/literal%value'],
    ['/capture/slash%2Fvalue', '/capture/slash/value'],
  ])('gives the path %s as %s, as others have captured it on AWS', async (sent, received) => {
    const event = eventOf(await gateway.send(`${sent}?q=a%3Fb`))
    expect(event.rawPath).toBe(received)
    expect(event.requestContext.http.path).toBe(received)
    expect(Object.values(event.pathParameters ?? {}).join('/')).toBe(
      received.slice('/capture/'.length),
    )
    expect(event.queryStringParameters).toEqual({ q: 'a?b' })
  })

  it.each([
    ['text/plain', 'text'],
    ['text/csv; charset=utf-8', 'text'],
    ['application/json', 'text'],
    ['Application/JSON; charset=utf-8', 'text'],
    ['application/xml', 'text'],
    ['application/javascript', 'text'],
    ['application/jsonp', 'base64'],
    ['application/x-www-form-urlencoded', 'base64'],
    ['application/problem+json', 'base64'],
    ['application/octet-stream', 'base64'],
    [undefined, 'base64'],
  ])('gives a body of type %s as %s', async (contentType, form) => {
    const headers = contentType === undefined ? {} : { 'content-type': contentType }
    const event = eventOf(await gateway.send('/a', { method: 'POST', headers, body: '{"λ":1}' }))
    const expected = form === 'text' ? '{"λ":1}' : Buffer.from('{"λ":1}').toString('base64')
    expect(event).toMatchObject({ body: expected, isBase64Encoded: form === 'base64' })
    expect(event.headers['content-length']).toBe('8')
  })

  it('is a copy, so that a function cannot change the next one', async () => {
    const gateway = await serve({
      authorizer: async (event) => {
        event.requestContext.http.method = 'CHANGED'
        if (event.headers) event.headers.authorization = 'changed'
        return { isAuthorized: true, context: {} }
      },
      routes: [echo('GET /a', true)],
    })
    const { requestContext, headers } = eventOf(
      await gateway.send('/a', { headers: { authorization: 'original' } }),
    )
    expect([requestContext.http.method, headers.authorization]).toEqual(['GET', 'original'])
  })

  it('comes with a context that counts down', async () => {
    const told = handled(
      'GET /a/{b}',
      async (_event, { functionName, getRemainingTimeInMillis }) => {
        const body = JSON.stringify({ functionName, remaining: getRemainingTimeInMillis() })
        return { statusCode: 200, body }
      },
    )
    const { functionName, remaining } = JSON.parse(
      (await (await serve({ routes: [told] })).send('/a/1')).text,
    )
    expect(remaining).toBeGreaterThan(29_000)
    expect(remaining).toBeLessThanOrEqual(30_000)
    expect(functionName).toBe('GET-a-b-')
  })
})

describe('Routes', () => {
  const gateway = gatewayWith(
    ...[
      'GET /A.b',
      'GET /A.b/{c}',
      'GET /',
      'GET /pets',
      'GET /pets/{kind}',
      'GET /x/{__proto__}',
    ].map((routeKey) => echo(routeKey)),
  )

  it('take what a variable segment has', async () => {
    const matched = async (path: string) => {
      const { routeKey, pathParameters } = eventOf(await gateway.send(path))
      return [routeKey, Object.entries(pathParameters ?? {})]
    }
    expect(await matched('/pets')).toEqual(['GET /pets', []])
    expect(await matched('/pets/bird')).toEqual(['GET /pets/{kind}', [['kind', 'bird']]])
    expect(await matched('/x/polluted')).toEqual([
      'GET /x/{__proto__}',
      [['__proto__', 'polluted']],
    ])
  })

  it.each([
    ['GET', '/b'],
    ['POST', '/A.b'],
    ['GET', '/a.b'],
    ['GET', '/Axb'],
    ['GET', '/A.b/'],
    ['GET', '/A.b//'],
    ['GET', '//A.b'],
    ['GET', '/A.b/c/'],
    ['GET', '//'],
  ])('are taken literally: %s %s is a 404', async (method, path) => {
    const answer = await gateway.send(path, { method })
    expect([answer.status, answer.text]).toEqual([404, '{"message":"Not Found"}'])
    expect(answer.headers['content-type']).toBe('application/json')
    expect(await gateway.send('/A.b', { method: 'HEAD' })).toMatchObject({ status: 404, text: '' })
  })
})
