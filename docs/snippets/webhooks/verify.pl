# region verify
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256_hex);
use Encode qw(encode);
use JSON::PP qw(decode_json);

# In constant time, so that the time reveals nothing about the content.
sub same {
    my ($given, $expected) = @_;
    return 0 if length $given != length $expected;
    my $differs = 0;
    $differs |= ord(substr $given, $_, 1) ^ ord(substr $expected, $_, 1) for 0 .. length($expected) - 1;
    return $differs == 0;
}

# Whether a delivery is genuine. $body is the raw body as bytes; $now is the clock of the receiver in seconds.
sub is_genuine {
    my ($secret, $headers, $body, $now) = @_;
    my $event_id  = encode 'UTF-8', $headers->{'x-service-event-id'}  // '';
    my $timestamp = encode 'UTF-8', $headers->{'x-service-timestamp'} // '';
    return 0 unless $timestamp =~ /\A[1-9][0-9]{0,15}\z/;
    return 0 if abs($now - $timestamp) > 300;
    my $expected = 'v1=' . hmac_sha256_hex("$event_id.$timestamp.$body", encode 'UTF-8', $secret);
    # While a secret is being rotated there are two signatures, separated by a comma.
    my @given = split /,/, encode('UTF-8', $headers->{'x-service-signature'} // ''), 5;
    return 0 unless grep { same($_, $expected) } @given;
    my $event = eval { decode_json $body };
    return 0 unless ref $event eq 'HASH' && defined $event->{id};
    return encode('UTF-8', $event->{id}) eq $event_id;
}
# endregion verify

unless (caller) {
    require MIME::Base64;
    while (my $line = <STDIN>) {
        my $case = decode_json $line;
        my $body = MIME::Base64::decode_base64($case->{body});
        print is_genuine($case->{secret}, $case->{headers}, $body, $case->{now}) ? "True\n" : "False\n";
    }
}
1;
