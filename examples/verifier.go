package embedtoken

import (
	"context"
	"errors"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"
)

const issuer = "https://api.example.com"

// NewKeySet reads the key set now, and again every five minutes until the context ends.
func NewKeySet(ctx context.Context) (keyfunc.Keyfunc, error) {
	urls := []string{issuer + "/.well-known/jwks.json"}
	override := keyfunc.Override{
		RefreshInterval: 5 * time.Minute,
		// A token of an unknown key starts a reading of the key set, at most this often, and waits
		// for it at most this long.
		RefreshUnknownKID: rate.NewLimiter(rate.Every(30*time.Second), 1),
		RateLimitWaitMax:  3 * time.Second,
	}
	return keyfunc.NewDefaultOverrideCtx(ctx, urls, override)
}

// Verify returns the claims of an embed token, or an error if anything about the token is wrong.
func Verify(keySet keyfunc.Keyfunc, text string) (jwt.MapClaims, error) {
	claims := jwt.MapClaims{}
	token, err := jwt.ParseWithClaims(text, claims, keySet.Keyfunc,
		jwt.WithValidMethods([]string{"ES256"}),
		jwt.WithIssuer(issuer), jwt.WithAudience(issuer), jwt.WithExpirationRequired(),
		// The clock of this computer may be behind.
		jwt.WithLeeway(30*time.Second))
	if err != nil {
		return nil, err
	}
	if end, err := claims.GetExpirationTime(); err != nil || !end.After(time.Now()) {
		return nil, jwt.ErrTokenExpired
	}
	if token.Header["typ"] != "embed+jwt" || claims["sub"] == nil {
		return nil, errors.New("this is not an embed token")
	}
	return claims, nil
}
