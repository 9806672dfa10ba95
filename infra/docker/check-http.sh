#!/bin/bash
# check-http PORT PATH [STATUS]: succeeds if this container responds to GET PATH with STATUS (default: 200) within 3 s.
# It doesn't use curl, which slim images lack, or Node, which would take more CPU to start than the request itself.
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' "$2" >&3
read -r -t 3 _ status _ <&3
[ "$status" = "${3:-200}" ]
