// Verifies the token of each line with the code of docs/verify-a-token.md. Prints its subject, or "refused".
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"

	"verify/embedtoken"
)

func main() {
	keySet, err := embedtoken.NewKeySet(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		claims, err := embedtoken.Verify(keySet, lines.Text())
		if err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println(claims["sub"])
		}
	}
}
