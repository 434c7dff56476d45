document.getElementById('resend').submit();
