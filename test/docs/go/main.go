// Verifies each token of the arguments with the code of docs/verify-a-token.md. Prints its subject, or "refused".
package main

import (
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
	for _, token := range os.Args[1:] {
		claims, err := embedtoken.Verify(keySet, token)
		if err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println(claims["sub"])
		}
	}
}
