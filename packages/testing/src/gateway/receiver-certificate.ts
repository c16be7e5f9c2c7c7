/** Of `hooks.example.com` and `pages.example.org`, signed by itself; trusted by tests alone. */
export const receiverCertificate = `-----BEGIN CERTIFICATE-----
MIIBwTCCAWigAwIBAgIULzLrcSHXvUBgpbbu89GbllGHmEQwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wIBcNMjYxMTIwMTA1MDQyWhgP
MjEyNjEwMjcxMDUwNDJaMBwxGjAYBgNVBAMMEWhvb2tzLmV4YW1wbGUuY29tMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEUQwJE41LuIdq/fSBEiBxywySWI8K/5ae
l1Lk2srLDcL7sijTq22jrP4wke6hC38/wGIwm3daDmOBzjaXR81uJKOBhTCBgjAd
BgNVHQ4EFgQUrQQxSQXGi4ibGb9pBJNSK7PVWaAwHwYDVR0jBBgwFoAUrQQxSQXG
i4ibGb9pBJNSK7PVWaAwDwYDVR0TAQH/BAUwAwEB/zAvBgNVHREEKDAmghFob29r
cy5leGFtcGxlLmNvbYIRcGFnZXMuZXhhbXBsZS5vcmcwCgYIKoZIzj0EAwIDRwAw
RAIgOAvyknhadNBoPAx/ZBup3xibvYsL9uGbsVMVAJjP4ZkCIDrWCZ0RndHDiG6q
9T2DJdbvHTu7lMRgzVsV/wUz+etU
-----END CERTIFICATE-----
`;

/** No secret: it vouches for nothing. */
export const receiverKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjScziq2bXuchDB7O
tIiQT528oKXHN4Oa5ZiIc+iJ5PWhRANCAARRDAkTjUu4h2r99IESIHHLDJJYjwr/
lp6XUuTayssNwvuyKNOrbaOs/jCR7qELfz/AYjCbd1oOY4HONpdHzW4k
-----END PRIVATE KEY-----
`;
