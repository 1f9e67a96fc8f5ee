/** Examples that several operations show. */

export const sessionId = 'q2xWUL8Y3oAk0Wc7J5m1vRZbS4nTtE6dHfGiKpNyXuA'

export const noMorePages = {
  hasNextPage: false,
  hasPreviousPage: false,
  startCursor: 'm0Yk1xP9sQeRt7uVwXyZaBMjAyNi0wNi0wMQ',
  endCursor: 'm0Yk1xP9sQeRt7uVwXyZaBMjAyNi0wNi0wMQ',
}
