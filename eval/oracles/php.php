<?php
// PHP's word on a source: one JSON line in, one out.
error_reporting(0);
while (($line = fgets(STDIN)) !== false) {
    try {
        token_get_all(base64_decode(json_decode($line, true)["content"]), TOKEN_PARSE);
        echo "true\n";
    } catch (\Throwable $error) {
        echo "false\n";
    }
}
