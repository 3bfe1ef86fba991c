/**
 * Members of modules of Python's own library, of all versions up to 3.15 and all systems: by the stubs of the
 * typeshed that pyright 1.1.414 holds, and `dir` of CPython 3.8 to 3.13. Names only; private ones too.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The newest version that is in here: of a newer one nothing is known. */
export const pythonMembersMinor = 15;

export const pythonMembers: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "os",
    words(
      `ABC AT_NO_AUTOMOUNT AT_STATX_DONT_SYNC AT_STATX_FORCE_SYNC AT_STATX_SYNC_AS_STAT Any AnyStr AnyStr_co BinaryIO BufferedRandom BufferedReader BufferedWriter BytesPath CLD_CONTINUED CLD_DUMPED CLD_EXITED CLD_KILLED CLD_STOPPED CLD_TRAPPED CLONE_FILES CLONE_FS CLONE_NEWCGROUP CLONE_NEWIPC CLONE_NEWNET CLONE_NEWNS CLONE_NEWPID CLONE_NEWTIME CLONE_NEWUSER CLONE_NEWUTS CLONE_SIGHAND CLONE_SYSVSEM CLONE_THREAD CLONE_VM Callable DirEntry EFD_CLOEXEC EFD_NONBLOCK EFD_SEMAPHORE EX_CANTCREAT EX_CONFIG EX_DATAERR EX_IOERR EX_NOHOST EX_NOINPUT EX_NOPERM EX_NOTFOUND EX_NOUSER EX_OK EX_OSERR EX_OSFILE EX_PROTOCOL EX_SOFTWARE EX_TEMPFAIL EX_UNAVAILABLE EX_USAGE F_LOCK F_OK F_TEST F_TLOCK F_ULOCK FileDescriptor FileDescriptorLike FileDescriptorOrPath FileIO Final GRND_NONBLOCK GRND_RANDOM Generic GenericAlias GenericPath IO Iterable Iterator Literal LiteralString MFD_ALLOW_SEALING MFD_CLOEXEC MFD_HUGETLB MFD_HUGE_16GB MFD_HUGE_16MB MFD_HUGE_1GB MFD_HUGE_1MB MFD_HUGE_256MB MFD_HUGE_2GB MFD_HUGE_2MB MFD_HUGE_32MB MFD_HUGE_512KB MFD_HUGE_512MB MFD_HUGE_64KB MFD_HUGE_8MB MFD_HUGE_MASK MFD_HUGE_SHIFT Mapping MutableMapping NGROUPS_MAX NODEV NoReturn OSError O_ACCMODE O_APPEND O_ASYNC O_BINARY O_CLOEXEC O_CREAT O_DIRECT O_DIRECTORY O_DSYNC O_EVTONLY O_EXCL O_EXEC O_EXLOCK O_FSYNC O_LARGEFILE O_NDELAY O_NOATIME O_NOCTTY O_NOFOLLOW O_NOFOLLOW_ANY O_NOINHERIT O_NONBLOCK O_PATH O_RANDOM O_RDONLY O_RDWR O_RSYNC O_SEARCH O_SEQUENTIAL O_SHLOCK O_SHORT_LIVED O_SYMLINK O_SYNC O_TEMPORARY O_TEXT O_TMPFILE O_TRUNC O_WRONLY OpenBinaryMode OpenBinaryModeReading OpenBinaryModeUpdating OpenBinaryModeWriting OpenTextMode PIDFD_NONBLOCK POSIX_FADV_DONTNEED POSIX_FADV_NOREUSE POSIX_FADV_NORMAL POSIX_FADV_RANDOM POSIX_FADV_SEQUENTIAL POSIX_FADV_WILLNEED POSIX_SPAWN_CLOSE POSIX_SPAWN_CLOSEFROM POSIX_SPAWN_DUP2 POSIX_SPAWN_OPEN PRIO_DARWIN_BG PRIO_DARWIN_NONUI PRIO_DARWIN_PROCESS PRIO_DARWIN_THREAD PRIO_PGRP PRIO_PROCESS PRIO_USER P_ALL P_DETACH P_NOWAIT P_NOWAITO P_OVERLAY P_PGID P_PID P_PIDFD P_WAIT PathLike Popen Protocol RTLD_DEEPBIND RTLD_GLOBAL RTLD_LAZY RTLD_LOCAL RTLD_NODELETE RTLD_NOLOAD RTLD_NOW RWF_APPEND RWF_DSYNC RWF_HIPRI RWF_NOWAIT RWF_SYNC R_OK ReadableBuffer SCHED_BATCH SCHED_DEADLINE SCHED_FIFO SCHED_IDLE SCHED_NORMAL SCHED_OTHER SCHED_RESET_ON_FORK SCHED_RR SCHED_SPORADIC SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE SEEK_SET SF_MNOWAIT SF_NOCACHE SF_NODISKIO SF_SYNC SPLICE_F_MORE SPLICE_F_MOVE SPLICE_F_NONBLOCK STATX_ATIME STATX_BASIC_STATS STATX_BLOCKS STATX_BTIME STATX_CTIME STATX_DIOALIGN STATX_GID STATX_INO STATX_MNT_ID STATX_MNT_ID_UNIQUE STATX_MODE STATX_MTIME STATX_NLINK STATX_SIZE STATX_TYPE STATX_UID ST_APPEND ST_MANDLOCK ST_NOATIME ST_NODEV ST_NODIRATIME ST_NOEXEC ST_NOSUID ST_RDONLY ST_RELATIME ST_SYNCHRONOUS ST_WRITE Self Sequence StrOrBytesPath StrPath SupportsLenAndGetItem TFD_CLOEXEC TFD_NONBLOCK TFD_TIMER_ABSTIME TFD_TIMER_CANCEL_ON_SET TMP_MAX TextIOWrapper TracebackType TypeAlias TypeVar Unpack Unused WCONTINUED WCOREDUMP WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WSTOPPED WSTOPSIG WTERMSIG WUNTRACED W_OK WriteableBuffer XATTR_CREATE XATTR_REPLACE XATTR_SIZE_MAX X_OK _AddedDllDirectory _Environ _EnvironCodeFunc _ExecEnv _ExecVArgs _OnError _Opener _ScandirIterator _T _T1 _T2 _check_methods _clearenv _execvpe _exists _exit _fspath _fwalk _fwalk_close _fwalk_walk _fwalk_yield _get_exports_list _path _putenv _spawnvef _unsetenv _walk _walk_symlinks_as_files _wrap_close abc abort abstractmethod access add_dll_directory altsep chdir chflags chmod chown chroot close closerange confstr confstr_names copy_file_range cpu_count ctermid curdir defpath deprecated device_encoding devnull dup dup2 environ environb error eventfd eventfd_read eventfd_write execl execle execlp execlpe execv execve execvp execvpe extsep fchdir fchmod fchown fdatasync fdopen final fork forkpty fpathconf fsdecode fsencode fspath fstat fstatvfs fsync ftruncate fwalk get_blocking get_exec_path get_handle_inheritable get_inheritable get_terminal_size getcwd getcwdb getegid getenv getenvb geteuid getgid getgrouplist getgroups getloadavg getlogin getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getsid getuid getxattr grantpt initgroups isatty kill killpg lchflags lchmod lchown linesep link listdir listdrives listmounts listvolumes listxattr lockf login_tty lseek lstat major makedev makedirs memfd_create minor mkdir mkfifo mknod name nice open openpty overload pardir path pathconf pathconf_names pathsep pidfd_open pipe pipe2 plock popen posix_fadvise posix_fallocate posix_openpt posix_spawn posix_spawnp pread preadv process_cpu_count ptsname putenv pwrite pwritev read readinto readlink readv register_at_fork reload_environ remove removedirs removexattr rename renames replace rmdir runtime_checkable scandir sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_param sched_rr_get_interval sched_setaffinity sched_setparam sched_setscheduler sched_yield sendfile sep set_blocking set_handle_inheritable set_inheritable setegid seteuid setgid setgroups setns setpgid setpgrp setpriority setregid setresgid setresuid setreuid setsid setuid setxattr spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe splice st startfile stat stat_result statvfs statvfs_result statx statx_result strerror struct_rusage structseq supports_bytes_environ supports_dir_fd supports_effective_ids supports_fd supports_follow_symlinks symlink sync sys sysconf sysconf_names system tcgetpgrp tcsetpgrp terminal_size timerfd_create timerfd_gettime timerfd_gettime_ns timerfd_settime timerfd_settime_ns times times_result truncate ttyname type_check_only umask uname uname_result unlink unlockpt unsetenv unshare urandom utime wait wait3 wait4 waitid waitid_result waitpid waitstatus_to_exitcode walk write writev`,
    ),
  ],
  [
    "os.path",
    words(
      `ALLOW_MISSING ALL_BUT_LAST AnyOrLiteralStr AnyStr BytesPath FileDescriptorOrPath Iterable Literal LiteralString NewType PathLike Sequence StrOrBytesPath StrPath SupportsRichComparisonT _AllButLastType _AllowMissingType _get_sep _joinrealpath _path_normpath _varprog _varprogb abspath altsep basename commonpath commonprefix curdir defpath deprecated devnull dirname exists expanduser expandvars extsep genericpath getatime getctime getmtime getsize isabs isdevdrive isdir isfile isjunction islink ismount isreserved join lexists normcase normpath os overload pardir pathsep realpath relpath samefile sameopenfile samestat sep split splitdrive splitext splitroot stat supports_unicode_filenames sys`,
    ),
  ],
  [
    "sys",
    words(
      `Any AsyncGenerator Callable Final FrameType Literal LiteralString MaybeNone MetaPathFinderProtocol ModuleType NoReturn OptExcInfo PathEntryFinderProtocol ProfileFunction Protocol Sequence SimpleNamespace StrOrBytesPath TextIO TextIOWrapper TraceFunction TracebackType TypeAlias TypeVar UnraisableHookArgs _AbiInfo _AsyncgenHook _ExitCode _LazyImportFilter _LazyImportMode _ReleaseLevel _T _ThreadInfoLock _ThreadInfoName _UninstantiableStructseq _WinVersion __jit _asyncgen_hooks _base_executable _baserepl _clear_internal_caches _clear_type_cache _current_exceptions _current_frames _deactivate_opcache _debugmallocstats _enablelegacywindowsfsencoding _flags _float_info _framework _get_cpu_count_config _getframe _getframemodulename _getquickenedcount _git _hash_info _home _implementation _int_info _is_gil_enabled _is_immortal _is_interned _jit _monitoring _object _setprofileallthreads _settraceallthreads _stdlib_dir _thread_info _version_info _xoptions abi_info abiflags activate_stack_trampoline addaudithook api_version argv audit base_exec_prefix base_prefix breakpointhook builtin_module_names byteorder call_tracing callstats copyright deactivate_stack_trampoline deprecated displayhook dllhandle dont_write_bytecode exc_info excepthook exception exec_prefix executable exit final flags float_info float_repr_style get_asyncgen_hooks get_coroutine_origin_tracking_depth get_int_max_str_digits get_lazy_imports get_lazy_imports_filter getallocatedblocks getandroidapilevel getcheckinterval getdefaultencoding getdlopenflags getfilesystemencodeerrors getfilesystemencoding getprofile getrecursionlimit getrefcount getsizeof getswitchinterval gettotalrefcount gettrace getunicodeinternedsize getwindowsversion hash_info hexversion implementation int_info intern is_finalizing is_remote_debug_enabled is_stack_trampoline_active last_exc last_traceback last_type last_value lazy_modules maxsize maxunicode meta_path modules monitoring orig_argv overload path path_hooks path_importer_cache platform platlibdir prefix ps1 ps2 pycache_prefix remote_exec set_asyncgen_hooks set_coroutine_origin_tracking_depth set_int_max_str_digits set_lazy_imports set_lazy_imports_filter setcheckinterval setdlopenflags setprofile setrecursionlimit setswitchinterval settrace stderr stdin stdlib_module_names stdout structseq sys thread_info tracebacklimit type_check_only unraisablehook version version_info warnoptions winver`,
    ),
  ],
  [
    "json",
    words(
      `Any Callable JSONDecodeError JSONDecoder JSONEncoder Literal SupportsRead SupportsWrite _default_decoder _default_encoder codecs decoder detect_encoding dump dumps encoder load loads scanner sys tool`,
    ),
  ],
  [
    "re",
    words(
      `A ASCII Any AnyStr Callable DEBUG DOTALL Final Generic GenericAlias I IGNORECASE Iterator L LOCALE Literal M MULTILINE Mapping Match MaybeNone NOFLAG Pattern PatternError ReadableBuffer RegexFlag S Scanner T TEMPLATE TypeAlias TypeVar U UNICODE VERBOSE X _FlagsType _MAXCACHE _MAXCACHE2 _T _ZeroSentinel _cache _cache2 _casefix _compile _compile_repl _compile_template _compiler _constants _expand _locale _parser _pickle _special_chars_map _sre _subx _zero_sentinel compile copyreg deprecated enum error escape final findall finditer fullmatch functools match overload prefixmatch purge search split sre_compile sre_parse sub subn sys template`,
    ),
  ],
  [
    "math",
    words(
      `Any Final Iterable Literal Protocol SupportsFloat SupportsIndex SupportsMul SupportsRMul TypeAlias TypeVar _LiteralInteger _MultiplicableT1 _MultiplicableT2 _NegativeInteger _PositiveInteger _SupportsCeil _SupportsFloatOrIndex _SupportsFloor _SupportsProdNoDefaultT _SupportsProdWithNoDefaultGiven _SupportsTrunc _T _T_co acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 expm1 fabs factorial floor fma fmax fmin fmod frexp fsum gamma gcd hypot inf integer isclose isfinite isinf isnan isnormal isqrt issubnormal lcm ldexp lgamma log log10 log1p log2 modf nan nextafter overload perm pi pow prod radians remainder signbit sin sinh sqrt sumprod sys tan tanh tau trunc type_check_only ulp`,
    ),
  ],
  [
    "cmath",
    words(
      `Final SupportsComplex SupportsFloat SupportsIndex TypeAlias _C _F acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan log log10 nan nanj phase pi polar rect sin sinh sqrt tan tanh tau`,
    ),
  ],
  [
    "random",
    words(
      `AbstractSet Any BPF Callable ClassVar Fraction Iterable LOG4 MutableSequence NV_MAGICCONST NoReturn RECIP_BPF Random SG_MAGICCONST Sequence SupportsLenAndGetItem SystemRandom TWOPI TypeVar _ONE _Sequence _Set _T _accumulate _acos _bisect _ceil _cos _e _exp _fabs _floor _index _inst _isfinite _lgamma _log _log2 _os _parse_args _pi _random _repeat _sha512 _sin _sqrt _test _test_generator _urandom _warn betavariate binomialvariate choice choices deprecated expovariate gammavariate gauss getrandbits getstate lognormvariate main normalvariate overload paretovariate randbytes randint random randrange sample seed setstate shuffle sys triangular uniform vonmisesvariate weibullvariate`,
    ),
  ],
  [
    "time",
    words(
      `Any CLOCK_BOOTTIME CLOCK_HIGHRES CLOCK_MONOTONIC CLOCK_MONOTONIC_RAW CLOCK_MONOTONIC_RAW_APPROX CLOCK_PROCESS_CPUTIME_ID CLOCK_PROF CLOCK_REALTIME CLOCK_TAI CLOCK_THREAD_CPUTIME_ID CLOCK_UPTIME CLOCK_UPTIME_RAW CLOCK_UPTIME_RAW_APPROX Final Literal Protocol SupportsFloat SupportsIndex TypeAlias _ClockInfo _STRUCT_TM_ITEMS _SupportsFloatOrIndex _TimeTuple altzone asctime clock_getres clock_gettime clock_gettime_ns clock_settime clock_settime_ns ctime daylight final get_clock_info gmtime localtime mktime monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns pthread_getcpuclockid sleep strftime strptime struct_time structseq sys thread_time thread_time_ns time time_ns timezone type_check_only tzname tzset`,
    ),
  ],
  [
    "datetime",
    words(
      `CapsuleType ClassVar Final MAXYEAR MINYEAR NoReturn Self SupportsIndex TypeAlias UTC _Date _IsoCalendarDate _Time _TzInfo abstractmethod date datetime datetime_CAPI deprecated disjoint_base final overload struct_time sys time timedelta timezone type_check_only tzinfo`,
    ),
  ],
  [
    "shutil",
    words(
      `Any AnyStr BytesPath COPY_BUFSIZE Callable Error ExcInfo ExecError FileDescriptorOrPath Iterable MaybeNone NamedTuple NoReturn Protocol ReadError RegistryError SameFileError Sequence SpecialFileError StrOrBytesPath StrPath SupportsRead SupportsWrite TypeAlias TypeVar _ARCHIVE_FORMATS _BZ2_SUPPORTED _BytesPathT _CopyFn _GiveupOnFastCopy _HAS_FCOPYFILE _LZMA_SUPPORTED _OnErrorCallback _OnExcCallback _RmtreeType _StrOrBytesPathT _StrPathT _TarfileFilter _UNPACK_FORMATS _USE_CP_SENDFILE _WINDOWS _WIN_DEFAULT_PATHEXT _ZLIB_SUPPORTED _access_check _basename _check_unpack_options _copyfileobj_readinto _copytree _copyxattr _destinsrc _ensure_directory _fastcopy_fcopyfile _fastcopy_sendfile _find_unpack_format _get_gid _get_uid _is_immutable _islink _make_tarball _make_zipfile _ntuple_diskusage _rmtree_isdir _rmtree_islink _rmtree_safe_fd _rmtree_unsafe _samefile _stat _unpack_tarfile _unpack_zipfile _use_fd_functions _win_path_needs_curdir _winapi chown collections copy copy2 copyfile copyfileobj copymode copystat copytree deprecated disk_usage errno fnmatch get_archive_formats get_terminal_size get_unpack_formats getgrnam getpwnam ignore_patterns make_archive move nt os overload posix register_archive_format register_unpack_format rmtree stat sys type_check_only unpack_archive unregister_archive_format unregister_unpack_format warnings which`,
    ),
  ],
  [
    "subprocess",
    words(
      `ABOVE_NORMAL_PRIORITY_CLASS Any AnyStr BELOW_NORMAL_PRIORITY_CLASS CREATE_BREAKAWAY_FROM_JOB CREATE_DEFAULT_ERROR_MODE CREATE_NEW_CONSOLE CREATE_NEW_PROCESS_GROUP CREATE_NO_WINDOW Callable CalledProcessError Collection CompletedProcess DETACHED_PROCESS DEVNULL Final Generic GenericAlias HIGH_PRIORITY_CLASS IDLE_PRIORITY_CLASS IO Iterable Literal Mapping MaybeNone NORMAL_PRIORITY_CLASS PIPE Popen REALTIME_PRIORITY_CLASS ReadableBuffer STARTF_FORCEOFFFEEDBACK STARTF_FORCEONFEEDBACK STARTF_USESHOWWINDOW STARTF_USESTDHANDLES STARTUPINFO STDOUT STD_ERROR_HANDLE STD_INPUT_HANDLE STD_OUTPUT_HANDLE SW_HIDE Self Sequence StrOrBytesPath SubprocessError TimeoutExpired TracebackType TypeAlias TypeVar _CMD _ENV _FILE _HAVE_POSIX_SPAWN_CLOSEFROM _InputString _PIPE_BUF _PopenSelector _T _USE_POSIX_SPAWN _USE_VFORK _WIFSTOPPED _WNOHANG _WSTOPSIG _active _args_from_interpreter_flags _can_fork_exec _cleanup _del_safe _fork_exec _mswindows _optim_args_from_interpreter_flags _posixsubprocess _text_encoding _time _use_posix_spawn _waitpid _waitstatus_to_exitcode builtins call check_call check_output contextlib errno fcntl getoutput getstatusoutput grp io list2cmdline locale os overload pwd run select selectors signal sys threading time types warnings`,
    ),
  ],
  [
    "itertools",
    words(
      `Any Callable Generic GenericAlias Iterable Iterator Literal MaybeNone Self SupportsComplex SupportsFloat SupportsIndex SupportsInt TypeAlias TypeVar _N _Predicate _S _S_co _Step _T _T1 _T10 _T2 _T3 _T4 _T5 _T6 _T7 _T8 _T9 _T_co _grouper _tee _tee_dataobject accumulate batched chain combinations combinations_with_replacement compress count cycle disjoint_base dropwhile filterfalse groupby islice overload pairwise permutations product repeat starmap sys takewhile tee zip_longest`,
    ),
  ],
  [
    "functools",
    words(
      `Any Callable Final Generic GenericAlias Hashable Iterable Literal NamedTuple ParamSpec Placeholder RLock Self Sized SupportsAllComparisons SupportsItems TypeAlias TypeVar TypedDict WRAPPER_ASSIGNMENTS WRAPPER_UPDATES _CacheInfo _CacheParameters _Descriptor _HashedSeq _NOT_FOUND _PWrapped _PWrapper _PlaceholderType _RWrapped _RWrapper _RegType _S _SingleDispatchCallable _T _T_co _Wrapped _Wrapper _c3_merge _c3_mro _compose_mro _convert _find_impl _ge_from_gt _ge_from_le _ge_from_lt _gt_from_ge _gt_from_le _gt_from_lt _initial_missing _le_from_ge _le_from_gt _le_from_lt _lru_cache_wrapper _lt_from_ge _lt_from_gt _lt_from_le _make_key _unwrap_partial _unwrap_partialmethod cache cached_property cmp_to_key disjoint_base final get_cache_token lru_cache namedtuple overload partial partialmethod recursive_repr reduce singledispatch singledispatchmethod sys total_ordering type_check_only types update_wrapper wraps`,
    ),
  ],
  [
    "collections",
    words(
      `Any Callable ChainMap ClassVar Counter Generic GenericAlias ItemsView Iterable Iterator KeysView Mapping MutableMapping MutableSequence NoReturn OrderedDict Self Sequence SupportsIndex SupportsItems SupportsKeysAndGetItem SupportsRichComparison SupportsRichComparisonT TypeVar UserDict UserList UserString ValuesView _KT _KT_co _Link _OrderedDictItemsView _OrderedDictKeysView _OrderedDictValuesView _S _T _T1 _T2 _VT _VT_co _chain _collections_abc _count_elements _deque_iterator _eq _heapq _iskeyword _itemgetter _odict_items _odict_keys _odict_values _proxy _recursive_repr _repeat _starmap _sys _tuplegetter abc defaultdict deque dict_items dict_keys dict_values disjoint_base final frozendict namedtuple overload sys type_check_only`,
    ),
  ],
  [
    "string",
    words(
      `Any ClassVar Final Formatter Iterable LiteralString Mapping Pattern RegexFlag Sequence StrOrLiteralStr Template _ChainMap _TemplateMetaclass _re _sentinel_dict _string ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits overload printable punctuation sys templatelib whitespace`,
    ),
  ],
  [
    "pathlib",
    words(
      `Any BinaryIO BufferedRandom BufferedReader BufferedWriter Callable ClassVar EBADF EINVAL ELOOP ENOENT ENOTDIR FileIO Generator GenericAlias IO Iterator Literal Never OpenBinaryMode OpenBinaryModeReading OpenBinaryModeUpdating OpenBinaryModeWriting OpenTextMode Path PathInfo PathLike PosixPath PurePath PurePosixPath PureWindowsPath ReadableBuffer S_ISBLK S_ISCHR S_ISDIR S_ISFIFO S_ISLNK S_ISREG S_ISSOCK Self Sequence StrOrBytesPath StrPath TextIOWrapper TracebackType TypeVar UnsupportedOperation Unused WindowsPath _Accessor _DoubleRecursiveWildcardSelector _FNMATCH_PREFIX _FNMATCH_SLICE _FNMATCH_SUFFIX _Flavour _IGNORED_ERRNOS _IGNORED_ERROS _IGNORED_WINERRORS _NormalAccessor _ParentSelector _PathParents _PathT _PosixFlavour _PreciseSelector _RecursiveWildcardSelector _SWAP_SEP_AND_NEWLINE _Selector _TerminatingSelector _WINERROR_CANT_RESOLVE_FILENAME _WINERROR_INVALID_NAME _WINERROR_NOT_READY _WIN_RESERVED_NAMES _WildcardSelector _WindowsFlavour _abc _compile_pattern _compile_pattern_lines _ignore_error _is_case_sensitive _is_wildcard_pattern _local _make_selector _normal_accessor _posix_flavour _windows_flavour attrgetter deprecated fnmatch functools io nt ntpath os overload posixpath re stat_result supports_symlinks sys types urlquote_from_bytes warnings`,
    ),
  ],
  [
    "glob",
    words(
      `AnyStr Iterator Sequence StrOrBytesPath _Globber _StringGlobber _compile_pattern _deprecated_function_message _dir_open_flags _glob0 _glob1 _glob2 _iglob _isdir _ishidden _isrecursive _iterdir _join _lexists _listdir _no_recurse_symlinks _rlistdir _special_parts contextlib deprecated escape fnmatch functools glob glob0 glob1 has_magic iglob itertools magic_check magic_check_bytes operator os re stat sys translate`,
    ),
  ],
  [
    "tempfile",
    words(
      `Any AnyStr BytesPath Final Generic GenericAlias GenericPath IO Iterable Iterator Literal NamedTemporaryFile OpenBinaryMode OpenBinaryModeReading OpenBinaryModeUpdating OpenBinaryModeWriting OpenTextMode ReadableBuffer Self SpooledTemporaryFile StrPath TMP_MAX TemporaryDirectory TemporaryFile TracebackType WriteableBuffer _O_TMPFILE_WORKS _Random _RandomNameSequence _SpooledTemporaryFileBase _TemporaryFileCloser _TemporaryFileWrapper _allocate_lock _bin_openflags _candidate_tempdir_list _dont_follow_symlinks _errno _exists _functools _get_candidate_names _get_default_tempdir _gettempdir _infer_return_type _io _mkstemp_inner _name_sequence _once_lock _os _resetperms _sanitize_params _shutil _sys _text_openflags _thread _types _warnings _weakref deprecated gettempdir gettempdirb gettempprefix gettempprefixb io mkdtemp mkstemp mktemp overload sys tempdir template`,
    ),
  ],
  [
    "logging",
    words(
      `Any BASIC_FORMAT BufferingFormatter CRITICAL Callable ClassVar DEBUG ERROR FATAL FileHandler Filter Filterer Final Formatter FrameType Generic GenericAlias Handler INFO Iterable Literal LogRecord Logger LoggerAdapter Manager Mapping MutableMapping NOTSET NullHandler Pattern PercentStyle PlaceHolder Protocol RootLogger Self Sequence StrFormatStyle StrPath StreamHandler StringTemplateStyle SupportsWrite Template TextIO TextIOWrapper TracebackType TypeAlias TypeVar WARN WARNING _ArgsType _ExcInfoType _FilterType _FormatStyle _L _Level _STYLES _StderrHandler _StreamT _SupportsFilter _SysExcInfoType _acquireLock _addHandlerRef _afterFork _after_at_fork_child_reinit_locks _at_fork_reinit_lock_weakset _checkLevel _defaultFormatter _defaultLastResort _handlerList _handlers _is_internal_frame _levelToName _lock _logRecordFactory _loggerClass _nameToLevel _prepareFork _register_at_fork_reinit_lock _releaseLock _removeHandlerRef _showwarning _srcfile _startTime _str_formatter _warnings_showwarning addLevelName atexit basicConfig captureWarnings collections config critical currentframe debug deprecated disable error exception fatal getHandlerByName getHandlerNames getLevelName getLevelNamesMapping getLogRecordFactory getLogger getLoggerClass handlers info io lastResort log logAsyncioTasks logMultiprocessing logProcesses logThreads makeLogRecord os overload raiseExceptions re root setLogRecordFactory setLoggerClass shutdown struct_time sys threading time traceback type_check_only warn warning warnings weakref`,
    ),
  ],
  [
    "hashlib",
    words(
      `AbstractSet Callable HASH Protocol ReadableBuffer _BytesIOLike _FileDigestFileObj _Hash _HashObject __block_openssl_constructor __builtin_constructor_cache __get_builtin_constructor _hashlib algorithms_available algorithms_guaranteed blake2b blake2s file_digest md5 new pbkdf2_hmac scrypt sha1 sha224 sha256 sha384 sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256 sys type_check_only`,
    ),
  ],
  [
    "hmac",
    words(
      `Callable HMAC ModuleType ReadableBuffer SizedBuffer TypeAlias _DigestMod _HashObject _functype _hashlib _hashopenssl _openssl_md_meths _warnings compare_digest digest digest_size new overload trans_36 trans_5C`,
    ),
  ],
  [
    "base64",
    words(
      `MAXBINSIZE MAXLINESIZE ReadableBuffer SupportsNoArgReadline SupportsRead SupportsWrite _85encode _A85END _A85START _B32_DECODE_DOCSTRING _B32_DECODE_MAP01_DOCSTRING _B32_ENCODE_DOCSTRING _a85chars _a85chars2 _b32alphabet _b32decode _b32encode _b32hexalphabet _b32rev _b32tab2 _b85alphabet _b85chars _b85chars2 _b85dec _bytes_from_decode_data _input_type_check _urlsafe_decode_translation _urlsafe_encode_translation _z85_b85_decode_diff _z85_decode_translation _z85_encode_translation _z85alphabet a85decode a85encode b16decode b16encode b32decode b32encode b32hexdecode b32hexencode b64decode b64encode b85decode b85encode binascii bytes_types decode decodebytes decodestring encode encodebytes encodestring main re standard_b64decode standard_b64encode struct sys test urlsafe_b64decode urlsafe_b64encode z85decode z85encode`,
    ),
  ],
  [
    "copy",
    words(
      `Any Error Protocol PyStringMap TypeVar _RT_co _SupportsReplace _T _copy_dispatch _copy_immutable _deepcopy_atomic _deepcopy_dict _deepcopy_dispatch _deepcopy_list _deepcopy_method _deepcopy_tuple _keep_alive _reconstruct copy deepcopy dispatch_table error replace sys type_check_only`,
    ),
  ],
  [
    "csv",
    words(
      `Any Collection Dialect DictReader DictWriter Error Generic GenericAlias Iterable Literal Mapping QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC QUOTE_NOTNULL QUOTE_STRINGS Reader Self Sequence Sniffer StringIO SupportsWrite TypeVar Writer _Dialect _DialectLike _QuotingType _T excel excel_tab field_size_limit get_dialect list_dialects overload re reader register_dialect sys types unix_dialect unregister_dialect writer`,
    ),
  ],
  [
    "io",
    words(
      `BlockingIOError BufferedIOBase BufferedRWPair BufferedRandom BufferedReader BufferedWriter BytesIO DEFAULT_BUFFER_SIZE FileIO Final IOBase IncrementalNewlineDecoder OpenWrapper Protocol RawIOBase Reader SEEK_CUR SEEK_END SEEK_SET StringIO TextIOBase TextIOWrapper TypeVar UnsupportedOperation Writer _BufferedIOBase _IOBase _RawIOBase _T_co _T_contra _TextIOBase _WrappedBuffer _io abc open open_code sys text_encoding`,
    ),
  ],
  [
    "threading",
    words(
      `Any Barrier BoundedSemaphore BrokenBarrierError Callable Condition Context Event ExceptHookArgs Final Iterable Iterator Lock Mapping ProfileFunction RLock Self Semaphore TIMEOUT_MAX Thread ThreadError Timer TraceFunction TracebackType TypeVar WeakSet _CRLock _DeleteDummyThreadOnDel _DummyThread _ExceptHookArgs _HAVE_THREAD_NATIVE_ID _LockType _MainThread _PyRLock _RLock _SHUTTING_DOWN _T _ThreadHandle _active _active_limbo_lock _after_fork _allocate_lock _count _counter _daemon_threads_allowed _dangling _deque _enumerate _get_main_thread_ident _is_main_interpreter _islice _limbo _main_thread _maintain_shutdown_locks _make_invoke_excepthook _make_thread_handle _newname _os _profile_hook _register_atexit _set_sentinel _shutdown _shutdown_locks _shutdown_locks_lock _start_joinable_thread _start_new_thread _sys _thread _thread_local_info _thread_shutdown _threading_atexits _time _trace_hook activeCount active_count concurrent_tee currentThread current_thread deprecated enumerate excepthook final functools get_ident get_native_id getprofile gettrace local main_thread serialize_iterator setprofile setprofile_all_threads settrace settrace_all_threads stack_size synchronized_iterator sys warnings`,
    ),
  ],
  [
    "socket",
    words(
      `AF_ALG AF_APPLETALK AF_ASH AF_ATMPVC AF_ATMSVC AF_AX25 AF_BLUETOOTH AF_BRIDGE AF_CAN AF_DECnet AF_DIVERT AF_ECONET AF_HYPERV AF_INET AF_INET6 AF_IPX AF_IRDA AF_KEY AF_LINK AF_LLC AF_NETBEUI AF_NETLINK AF_NETROM AF_PACKET AF_PPPOX AF_QIPCRTR AF_RDS AF_ROSE AF_ROUTE AF_SECURITY AF_SNA AF_SYSTEM AF_TIPC AF_UNIX AF_UNSPEC AF_VSOCK AF_WANPIPE AF_X25 AI_ADDRCONFIG AI_ALL AI_CANONNAME AI_DEFAULT AI_MASK AI_NUMERICHOST AI_NUMERICSERV AI_PASSIVE AI_V4MAPPED AI_V4MAPPED_CFG ALG_OP_DECRYPT ALG_OP_ENCRYPT ALG_OP_SIGN ALG_OP_VERIFY ALG_SET_AEAD_ASSOCLEN ALG_SET_AEAD_AUTHSIZE ALG_SET_IV ALG_SET_KEY ALG_SET_OP ALG_SET_PUBKEY AddressFamily AddressInfo Any BDADDR_ANY BDADDR_BREDR BDADDR_LE_PUBLIC BDADDR_LE_RANDOM BDADDR_LOCAL BTPROTO_HCI BTPROTO_L2CAP BTPROTO_RFCOMM BTPROTO_SCO BT_CHANNEL_POLICY BT_CHANNEL_POLICY_BREDR_ONLY BT_CHANNEL_POLICY_BREDR_PREFERRED BT_CODEC BT_DEFER_SETUP BT_FLUSHABLE BT_FLUSHABLE_OFF BT_FLUSHABLE_ON BT_ISO_QOS BT_MODE BT_MODE_BASIC BT_MODE_ERTM BT_MODE_EXT_FLOWCTL BT_MODE_LE_FLOWCTL BT_MODE_STREAMING BT_PHY BT_PHY_BR_1M_1SLOT BT_PHY_BR_1M_3SLOT BT_PHY_BR_1M_5SLOT BT_PHY_EDR_2M_1SLOT BT_PHY_EDR_2M_3SLOT BT_PHY_EDR_2M_5SLOT BT_PHY_EDR_3M_1SLOT BT_PHY_EDR_3M_3SLOT BT_PHY_EDR_3M_5SLOT BT_PHY_LE_1M_RX BT_PHY_LE_1M_TX BT_PHY_LE_2M_RX BT_PHY_LE_2M_TX BT_PHY_LE_CODED_RX BT_PHY_LE_CODED_TX BT_PKT_STATUS BT_POWER BT_POWER_FORCE_ACTIVE_OFF BT_POWER_FORCE_ACTIVE_ON BT_RCVMTU BT_SECURITY BT_SECURITY_FIPS BT_SECURITY_HIGH BT_SECURITY_LOW BT_SECURITY_MEDIUM BT_SECURITY_SDP BT_SNDMTU BT_VOICE BT_VOICE_CVSD_16BIT BT_VOICE_TRANSPARENT BT_VOICE_TRANSPARENT_16BIT BufferedRWPair BufferedReader BufferedWriter CAN_BCM CAN_BCM_CAN_FD_FRAME CAN_BCM_RX_ANNOUNCE_RESUME CAN_BCM_RX_CHANGED CAN_BCM_RX_CHECK_DLC CAN_BCM_RX_DELETE CAN_BCM_RX_FILTER_ID CAN_BCM_RX_NO_AUTOTIMER CAN_BCM_RX_READ CAN_BCM_RX_RTR_FRAME CAN_BCM_RX_SETUP CAN_BCM_RX_STATUS CAN_BCM_RX_TIMEOUT CAN_BCM_SETTIMER CAN_BCM_STARTTIMER CAN_BCM_TX_ANNOUNCE CAN_BCM_TX_COUNTEVT CAN_BCM_TX_CP_CAN_ID CAN_BCM_TX_DELETE CAN_BCM_TX_EXPIRED CAN_BCM_TX_READ CAN_BCM_TX_RESET_MULTI_IDX CAN_BCM_TX_SEND CAN_BCM_TX_SETUP CAN_BCM_TX_STATUS CAN_EFF_FLAG CAN_EFF_MASK CAN_ERR_FLAG CAN_ERR_MASK CAN_ISOTP CAN_ISOTP_CHK_PAD_DATA CAN_ISOTP_CHK_PAD_LEN CAN_ISOTP_DEFAULT_EXT_ADDRESS CAN_ISOTP_DEFAULT_FLAGS CAN_ISOTP_DEFAULT_FRAME_TXTIME CAN_ISOTP_DEFAULT_LL_MTU CAN_ISOTP_DEFAULT_LL_TX_DL CAN_ISOTP_DEFAULT_LL_TX_FLAGS CAN_ISOTP_DEFAULT_PAD_CONTENT CAN_ISOTP_DEFAULT_RECV_BS CAN_ISOTP_DEFAULT_RECV_STMIN CAN_ISOTP_DEFAULT_RECV_WFTMAX CAN_ISOTP_EXTEND_ADDR CAN_ISOTP_FORCE_RXSTMIN CAN_ISOTP_FORCE_TXSTMIN CAN_ISOTP_HALF_DUPLEX CAN_ISOTP_LISTEN_MODE CAN_ISOTP_LL_OPTS CAN_ISOTP_OPTS CAN_ISOTP_RECV_FC CAN_ISOTP_RX_EXT_ADDR CAN_ISOTP_RX_PADDING CAN_ISOTP_RX_STMIN CAN_ISOTP_SF_BROADCAST CAN_ISOTP_TX_PADDING CAN_ISOTP_TX_STMIN CAN_ISOTP_WAIT_TX_DONE CAN_J1939 CAN_RAW CAN_RAW_ERR_FILTER CAN_RAW_FD_FRAMES CAN_RAW_FILTER CAN_RAW_JOIN_FILTERS CAN_RAW_LOOPBACK CAN_RAW_RECV_OWN_MSGS CAN_RTR_FLAG CAN_SFF_MASK CAPI CMSG_LEN CMSG_SPACE EAGAIN EAI_ADDRFAMILY EAI_AGAIN EAI_BADFLAGS EAI_BADHINTS EAI_FAIL EAI_FAMILY EAI_MAX EAI_MEMORY EAI_NODATA EAI_NONAME EAI_OVERFLOW EAI_PROTOCOL EAI_SERVICE EAI_SOCKTYPE EAI_SYSTEM EBADF ETHERTYPE_ARP ETHERTYPE_IP ETHERTYPE_IPV6 ETHERTYPE_VLAN ETH_P_ALL EWOULDBLOCK Final HCI_CHANNEL_CONTROL HCI_CHANNEL_LOGGING HCI_CHANNEL_MONITOR HCI_CHANNEL_RAW HCI_CHANNEL_USER HCI_DATA_DIR HCI_DEV_NONE HCI_FILTER HCI_TIME_STAMP HVSOCKET_ADDRESS_FLAG_PASSTHRU HVSOCKET_CONNECTED_SUSPEND HVSOCKET_CONNECT_TIMEOUT HVSOCKET_CONNECT_TIMEOUT_MAX HV_GUID_BROADCAST HV_GUID_CHILDREN HV_GUID_LOOPBACK HV_GUID_PARENT HV_GUID_WILDCARD HV_GUID_ZERO HV_PROTOCOL_RAW INADDR_ALLHOSTS_GROUP INADDR_ANY INADDR_BROADCAST INADDR_LOOPBACK INADDR_MAX_LOCAL_GROUP INADDR_NONE INADDR_UNSPEC_GROUP IOBase IOCTL_VM_SOCKETS_GET_LOCAL_CID IPPORT_RESERVED IPPORT_USERRESERVED IPPROTO_AH IPPROTO_BIP IPPROTO_CBT IPPROTO_DSTOPTS IPPROTO_EGP IPPROTO_EON IPPROTO_ESP IPPROTO_FRAGMENT IPPROTO_GGP IPPROTO_GRE IPPROTO_HELLO IPPROTO_HOPOPTS IPPROTO_ICLFXBM IPPROTO_ICMP IPPROTO_ICMPV6 IPPROTO_IDP IPPROTO_IGMP IPPROTO_IGP IPPROTO_IP IPPROTO_IPCOMP IPPROTO_IPIP IPPROTO_IPV4 IPPROTO_IPV6 IPPROTO_L2TP IPPROTO_MAX IPPROTO_MOBILE IPPROTO_MPTCP IPPROTO_ND IPPROTO_NONE IPPROTO_PGM IPPROTO_PIM IPPROTO_PUP IPPROTO_RAW IPPROTO_RDP IPPROTO_ROUTING IPPROTO_RSVP IPPROTO_SCTP IPPROTO_ST IPPROTO_TCP IPPROTO_TP IPPROTO_UDP IPPROTO_UDPLITE IPPROTO_VRRP IPPROTO_XTP IPV6_CHECKSUM IPV6_DONTFRAG IPV6_DSTOPTS IPV6_HDRINCL IPV6_HOPLIMIT IPV6_HOPOPTS IPV6_JOIN_GROUP IPV6_LEAVE_GROUP IPV6_MULTICAST_HOPS IPV6_MULTICAST_IF IPV6_MULTICAST_LOOP IPV6_NEXTHOP IPV6_PATHMTU IPV6_PKTINFO IPV6_RECVDSTOPTS IPV6_RECVERR IPV6_RECVHOPLIMIT IPV6_RECVHOPOPTS IPV6_RECVPATHMTU IPV6_RECVPKTINFO IPV6_RECVRTHDR IPV6_RECVTCLASS IPV6_RTHDR IPV6_RTHDRDSTOPTS IPV6_RTHDR_TYPE_0 IPV6_TCLASS IPV6_UNICAST_HOPS IPV6_USE_MIN_MTU IPV6_V6ONLY IPX_TYPE IP_ADD_MEMBERSHIP IP_ADD_SOURCE_MEMBERSHIP IP_BIND_ADDRESS_NO_PORT IP_BLOCK_SOURCE IP_DEFAULT_MULTICAST_LOOP IP_DEFAULT_MULTICAST_TTL IP_DROP_MEMBERSHIP IP_DROP_SOURCE_MEMBERSHIP IP_FREEBIND IP_HDRINCL IP_MAX_MEMBERSHIPS IP_MULTICAST_IF IP_MULTICAST_LOOP IP_MULTICAST_TTL IP_OPTIONS IP_PKTINFO IP_RECVDSTADDR IP_RECVERR IP_RECVOPTS IP_RECVORIGDSTADDR IP_RECVRETOPTS IP_RECVTOS IP_RECVTTL IP_RETOPTS IP_TOS IP_TRANSPARENT IP_TTL IP_UNBLOCK_SOURCE IntEnum IntFlag Iterable J1939_EE_INFO_NONE J1939_EE_INFO_TX_ABORT J1939_FILTER_MAX J1939_IDLE_ADDR J1939_MAX_UNICAST_ADDR J1939_NLA_BYTES_ACKED J1939_NLA_PAD J1939_NO_ADDR J1939_NO_NAME J1939_NO_PGN J1939_PGN_ADDRESS_CLAIMED J1939_PGN_ADDRESS_COMMANDED J1939_PGN_MAX J1939_PGN_PDU1_MAX J1939_PGN_REQUEST L2CAP_LM L2CAP_LM_AUTH L2CAP_LM_ENCRYPT L2CAP_LM_MASTER L2CAP_LM_RELIABLE L2CAP_LM_SECURE L2CAP_LM_TRUSTED LOCAL_CREDS LOCAL_CREDS_PERSISTENT LOCAL_PEERCRED Literal MSG_BCAST MSG_BTAG MSG_CMSG_CLOEXEC MSG_CONFIRM MSG_CTRUNC MSG_DONTROUTE MSG_DONTWAIT MSG_EOF MSG_EOR MSG_ERRQUEUE MSG_ETAG MSG_FASTOPEN MSG_MCAST MSG_MORE MSG_NOSIGNAL MSG_NOTIFICATION MSG_OOB MSG_PEEK MSG_TRUNC MSG_WAITALL MsgFlag NETLINK_CRYPTO NETLINK_DNRTMSG NETLINK_FIREWALL NETLINK_IP6_FW NETLINK_NFLOG NETLINK_ROUTE NETLINK_USERSOCK NETLINK_XFRM NI_DGRAM NI_IDN NI_MAXHOST NI_MAXSERV NI_NAMEREQD NI_NOFQDN NI_NUMERICHOST NI_NUMERICSERV PACKET_BROADCAST PACKET_FASTROUTE PACKET_HOST PACKET_LOOPBACK PACKET_MULTICAST PACKET_OTHERHOST PACKET_OUTGOING PF_CAN PF_DIVERT PF_PACKET PF_RDS PF_SYSTEM Protocol RCVALL_MAX RCVALL_OFF RCVALL_ON RCVALL_SOCKETLEVELONLY RDS_CANCEL_SENT_TO RDS_CMSG_RDMA_ARGS RDS_CMSG_RDMA_DEST RDS_CMSG_RDMA_MAP RDS_CMSG_RDMA_STATUS RDS_CONG_MONITOR RDS_FREE_MR RDS_GET_MR RDS_GET_MR_FOR_DEST RDS_RDMA_DONTWAIT RDS_RDMA_FENCE RDS_RDMA_INVALIDATE RDS_RDMA_NOTIFY_ME RDS_RDMA_READWRITE RDS_RDMA_SILENT RDS_RDMA_USE_ONCE RDS_RECVERR RawIOBase ReadableBuffer SCM_CREDENTIALS SCM_CREDS SCM_CREDS2 SCM_J1939_DEST_ADDR SCM_J1939_DEST_NAME SCM_J1939_ERRQUEUE SCM_J1939_PRIO SCM_RIGHTS SHUT_RD SHUT_RDWR SHUT_WR SIO_KEEPALIVE_VALS SIO_LOOPBACK_FAST_PATH SIO_RCVALL SOCK_CLOEXEC SOCK_DGRAM SOCK_NONBLOCK SOCK_RAW SOCK_RDM SOCK_SEQPACKET SOCK_STREAM SOL_ALG SOL_ATALK SOL_AX25 SOL_BLUETOOTH SOL_CAN_BASE SOL_CAN_ISOTP SOL_CAN_RAW SOL_HCI SOL_IP SOL_IPX SOL_L2CAP SOL_NETROM SOL_RDS SOL_RFCOMM SOL_ROSE SOL_SCO SOL_SOCKET SOL_TCP SOL_TIPC SOL_UDP SOMAXCONN SO_ACCEPTCONN SO_BINDTODEVICE SO_BINDTOIFINDEX SO_BROADCAST SO_BTH_ENCRYPT SO_BTH_MTU SO_BTH_MTU_MAX SO_BTH_MTU_MIN SO_DEBUG SO_DOMAIN SO_DONTROUTE SO_ERROR SO_EXCLUSIVEADDRUSE SO_INCOMING_CPU SO_J1939_ERRQUEUE SO_J1939_FILTER SO_J1939_PROMISC SO_J1939_SEND_PRIO SO_KEEPALIVE SO_LINGER SO_MARK SO_OOBINLINE SO_ORIGINAL_DST SO_PASSCRED SO_PASSSEC SO_PEERCRED SO_PEERSEC SO_PRIORITY SO_PROTOCOL SO_RCVBUF SO_RCVLOWAT SO_RCVTIMEO SO_REUSEADDR SO_REUSEPORT SO_SETFIB SO_SNDBUF SO_SNDLOWAT SO_SNDTIMEO SO_TYPE SO_USELOOPBACK SO_VM_SOCKETS_BUFFER_MAX_SIZE SO_VM_SOCKETS_BUFFER_MIN_SIZE SO_VM_SOCKETS_BUFFER_SIZE SYSPROTO_CONTROL Self SocketIO SocketKind SocketType SupportsIndex TCP_CC_INFO TCP_CONGESTION TCP_CONNECTION_INFO TCP_CORK TCP_DEFER_ACCEPT TCP_FASTOPEN TCP_FASTOPEN_CONNECT TCP_FASTOPEN_KEY TCP_FASTOPEN_NO_COOKIE TCP_INFO TCP_INQ TCP_KEEPALIVE TCP_KEEPCNT TCP_KEEPIDLE TCP_KEEPINTVL TCP_LINGER2 TCP_MAXSEG TCP_MD5SIG TCP_MD5SIG_EXT TCP_NODELAY TCP_NOTSENT_LOWAT TCP_QUEUE_SEQ TCP_QUICKACK TCP_REPAIR TCP_REPAIR_OPTIONS TCP_REPAIR_QUEUE TCP_REPAIR_WINDOW TCP_SAVED_SYN TCP_SAVE_SYN TCP_SYNCNT TCP_THIN_DUPACK TCP_THIN_LINEAR_TIMEOUTS TCP_TIMESTAMP TCP_TX_DELAY TCP_ULP TCP_USER_TIMEOUT TCP_WINDOW_CLAMP TCP_ZEROCOPY_RECEIVE TIPC_ADDR_ID TIPC_ADDR_NAME TIPC_ADDR_NAMESEQ TIPC_CFG_SRV TIPC_CLUSTER_SCOPE TIPC_CONN_TIMEOUT TIPC_CRITICAL_IMPORTANCE TIPC_DEST_DROPPABLE TIPC_HIGH_IMPORTANCE TIPC_IMPORTANCE TIPC_LOW_IMPORTANCE TIPC_MEDIUM_IMPORTANCE TIPC_NODE_SCOPE TIPC_PUBLISHED TIPC_SRC_DROPPABLE TIPC_SUBSCR_TIMEOUT TIPC_SUB_CANCEL TIPC_SUB_PORTS TIPC_SUB_SERVICE TIPC_TOP_SRV TIPC_WAIT_FOREVER TIPC_WITHDRAWN TIPC_ZONE_SCOPE TextIOWrapper UDPLITE_RECV_CSCOV UDPLITE_SEND_CSCOV Unused VMADDR_CID_ANY VMADDR_CID_HOST VMADDR_CID_LOCAL VMADDR_PORT_ANY VM_SOCKETS_INVALID_VERSION WriteableBuffer _Address _GLOBAL_DEFAULT_TIMEOUT _GiveupOnSendfile _LOCALHOST _LOCALHOST_V6 _RetAddress _SendableFile _blocking_errnos _fallback_socketpair _intenum_converter _realsocket _socket array close create_connection create_server dup errno error errorTab fromfd fromshare gaierror getaddrinfo getdefaulttimeout getfqdn gethostbyaddr gethostbyname gethostbyname_ex gethostname getnameinfo getprotobyname getservbyname getservbyport has_dualstack_ipv6 has_ipv6 herror htonl htons if_indextoname if_nameindex if_nametoindex inet_aton inet_ntoa inet_ntop inet_pton io ntohl ntohs os overload recv_fds selectors send_fds setdefaulttimeout sethostname socket socketpair sys timeout type_check_only`,
    ),
  ],
  [
    "struct",
    words(
      `Any Iterator ReadableBuffer Struct WriteableBuffer _clearcache calcsize disjoint_base error iter_unpack pack pack_into unpack unpack_from`,
    ),
  ],
  [
    "uuid",
    words(
      `Enum Final LiteralString MAX NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL NAMESPACE_X500 NIL NoReturn RESERVED_FUTURE RESERVED_MICROSOFT RESERVED_NCS RFC_4122 SafeUUID TypeAlias UUID Unused _AIX _FieldsType _GETTERS _LINUX _MAC_DELIM _MAC_OMITS_LEADING_ZEROES _OS_GETTERS _UuidCreate _arp_getnode _find_mac _find_mac_near_keyword _find_mac_under_heading _generate_time_safe _get_command_stdout _has_uuid_generate_time_safe _ifconfig_getnode _ip_getnode _ipconfig_getnode _is_universal _lanscan_getnode _last_timestamp _load_system_functions _netbios_getnode _netstat_getnode _node _parse_mac _platform_system _popen _random_getnode _simple_enum _unix_getnode _uuid _windll_getnode builtins bytes_ getnode int_ main os platform sys uuid1 uuid3 uuid4 uuid5 uuid6 uuid7 uuid8`,
    ),
  ],
  [
    "textwrap",
    words(
      `Callable Pattern TextWrapper _leading_whitespace_re _whitespace _whitespace_only_re dedent fill indent re shorten wrap`,
    ),
  ],
  [
    "operator",
    words(
      `Any Generic Self SupportsGetItem TypeVar TypeVarTuple Unpack _T _T1 _T2 _T_co _Ts _abs abs add and_ attrgetter call concat contains countOf delitem eq final floordiv ge getitem gt iadd iand iconcat ifloordiv ilshift imatmul imod imul index indexOf inv invert ior ipow irshift is_ is_none is_not is_not_none isub itemgetter itruediv ixor le length_hint lshift lt matmul methodcaller mod mul ne neg not_ or_ overload pos pow rshift setitem sub sys truediv truth xor`,
    ),
  ],
  [
    "contextlib",
    words(
      `ABC AbstractAsyncContextManager AbstractContextManager Any AsyncContextDecorator AsyncExitStack AsyncGenerator AsyncIterator Awaitable Callable ContextDecorator ExitStack FileDescriptorOrPath Generator Generic GenericAlias Iterator MethodType ParamSpec Protocol Self TracebackType TypeAlias TypeVar Unused _ACM_EF _AF _AsyncGeneratorContextManager _BaseExitStack _BaseExitStackAbstract _CM_EF _ExitCoroFunc _ExitFunc _ExitT_co _F _G_co _GeneratorContextManager _GeneratorContextManagerBase _P _RedirectStream _ReturnT_co _SendT_contra _SupportsAclose _SupportsAcloseT _SupportsClose _SupportsCloseT _SupportsRedirect _SupportsRedirectT _T _T_co _T_fd_or_any_path _collections_abc abc abstractmethod aclosing asynccontextmanager chdir closing contextmanager deprecated deque nullcontext os overload redirect_stderr redirect_stdout runtime_checkable suppress sys type_check_only wraps`,
    ),
  ],
  [
    "inspect",
    words(
      `AGEN_CLOSED AGEN_CREATED AGEN_RUNNING AGEN_SUSPENDED AbstractSet AnnotationForm Any ArgInfo ArgSpec Arguments AsyncGenerator AsyncGeneratorType Attribute Awaitable BlockFinder BoundArguments BufferFlags BuiltinFunctionType BuiltinMethodType CORO_CLOSED CORO_CREATED CORO_RUNNING CORO_SUSPENDED CO_ASYNC_GENERATOR CO_COROUTINE CO_GENERATOR CO_HAS_DOCSTRING CO_ITERABLE_COROUTINE CO_METHOD CO_NESTED CO_NEWLOCALS CO_NOFREE CO_OPTIMIZED CO_VARARGS CO_VARKEYWORDS Callable ClassFoundException ClassMethodDescriptorType ClassVar ClosureVars CodeType Coroutine CoroutineType EndOfBlock Final Format FrameInfo FrameType FullArgSpec FunctionType GEN_CLOSED GEN_CREATED GEN_RUNNING GEN_SUSPENDED Generator GeneratorType GetSetDescriptorType LambdaType Literal Mapping MemberDescriptorType MethodDescriptorType MethodType MethodWrapperType ModuleType NamedTuple Never OrderedDict ParamSpec Parameter Protocol Self Sequence Signature StrPath TPFLAGS_IS_ABSTRACT Traceback TracebackType TypeAlias TypeGuard TypeIs TypeVar WrapperDescriptorType _ClassFinder _ClassMethodWrapper _ClassTreeItem _F _FrameInfo _GetMembersPredicate _GetMembersPredicateTypeGuard _GetMembersPredicateTypeIs _GetMembersReturn _IntrospectableCallable _KEYWORD_ONLY _MethodWrapper _NonUserDefinedCallables _Object _P _PARAM_NAME_MAPPING _POSITIONAL_ONLY _POSITIONAL_OR_KEYWORD _ParameterKind _SourceObjectType _SupportsDelete _SupportsSet _T _T_contra _Traceback _VAR_KEYWORD _VAR_POSITIONAL _V_contra _WrapperDescriptor _check_class _check_instance _descriptor_get _empty _filesbymodname _findclass _finddoc _get_code_position _get_code_position_from_tb _get_dunder_dict_of_class _getmembers _has_code_flag _has_coroutine_mark _is_coroutine_mark _is_coroutine_marker _is_type _main _missing_arguments _sentinel _shadowed_dict _shadowed_dict_from_mro_tuple _shadowed_dict_from_weakref_mro_tuple _signature_bound_method _signature_from_builtin _signature_from_callable _signature_from_function _signature_fromstr _signature_get_bound_param _signature_get_partial _signature_get_user_defined_method _signature_is_builtin _signature_is_functionlike _signature_strip_non_python_syntax _static_getmro _too_many _void abc ast attrgetter builtins classify_class_attrs cleandoc collections currentframe deprecated dis disjoint_base enum findsource formatannotation formatannotationrelativeto formatargspec formatargvalues functools get_annotations getabsfile getargs getargspec getargvalues getasyncgenlocals getasyncgenstate getattr_static getblock getcallargs getclasstree getclosurevars getcomments getcoroutinelocals getcoroutinestate getdoc getfile getframeinfo getfullargspec getgeneratorlocals getgeneratorstate getinnerframes getlineno getmembers getmembers_static getmodule getmodulename getmro getouterframes getsource getsourcefile getsourcelines importlib indentsize isabstract isasyncgen isasyncgenfunction isawaitable isbuiltin isclass iscode iscoroutine iscoroutinefunction isdatadescriptor isframe isfunction isgenerator isgeneratorfunction isgetsetdescriptor iskeyword ismemberdescriptor ismethod ismethoddescriptor ismethodwrapper ismodule ispackage isroutine istraceback itertools k linecache make_weakref markcoroutinefunction mod_dict modulesbyfile namedtuple os overload re signature stack sys token tokenize trace type_check_only types unwrap v walktree warnings`,
    ),
  ],
  [
    "urllib.parse",
    words(
      `Any AnyStr DefragResult DefragResultBytes Final Generic GenericAlias Iterable Literal MAX_CACHE_SIZE Mapping NamedTuple ParseResult ParseResultBytes Protocol Quoter ResultBase Sequence SplitResult SplitResultBytes TypeAlias TypeVar _ALWAYS_SAFE _ALWAYS_SAFE_BYTES _BytesComponentT _DefragResultBase _NetlocResultMixinBase _NetlocResultMixinBytes _NetlocResultMixinStr _ParseResultBase _QueryType _QuoteVia _Quoter _ResultComponentT _ResultMixinBytes _ResultMixinStr _ResultStrT _SplitResultBase _StrComponentT _UNSAFE_URL_BYTES_TO_REMOVE _WHATWG_C0_CONTROL_OR_SPACE _asciire _byte_quoter_factory _check_bracketed_host _checknetloc _coerce_args _decode_args _encode_result _generate_unquoted_parts _hexdig _hextobyte _hostprog _implicit_encoding _implicit_errors _noop _parse_cache _portprog _remove_unsafe_bytes_from_url _safe_quoters _splitattr _splithost _splitnetloc _splitnport _splitparams _splitpasswd _splitport _splitquery _splittag _splittype _splituser _splitvalue _to_bytes _typeprog _unquote_impl clear_cache collections functools ipaddress math namedtuple non_hierarchical overload parse_qs parse_qsl quote quote_from_bytes quote_plus re scheme_chars splitattr splithost splitnport splitpasswd splitport splitquery splittag splittype splituser splitvalue sys to_bytes type_check_only types unquote unquote_plus unquote_to_bytes unwrap urldefrag urlencode urljoin urlparse urlsplit urlunparse urlunsplit uses_fragment uses_netloc uses_params uses_query uses_relative warnings`,
    ),
  ],
  [
    "statistics",
    words(
      `Callable Counter Decimal Fraction Hashable Iterable LinearRegression Literal NamedTuple NormalDist Protocol Self Sequence Sized StatisticsError SupportsFloat SupportsIndex SupportsRichComparisonT TypeAlias TypeVar _HashableT _Kernel _Number _NumberT _SQRT2 _Seed _SizedIterable _T_co _coerce _convert _decimal_sqrt_of_frac _exact_ratio _fail_neg _find_lteq _find_rteq _float_sqrt_of_frac _integer_sqrt_of_frac_rto _isfinite _kernel_invcdfs _mean_stdev _newton_raphson _normal_dist_inv_cdf _quartic_invcdf _quartic_invcdf_estimate _random _rank _sqrt_bit_width _sqrtprod _ss _sum _triweight_invcdf _triweight_invcdf_estimate acos asin atan bisect_left bisect_right correlation cos cosh count covariance defaultdict erf exp fabs fmean fsum geometric_mean groupby harmonic_mean hypot isfinite isinf itemgetter kde kde_random linear_regression log math mean median median_grouped median_high median_low mode mul multimode namedtuple numbers pi pstdev pvariance quantiles random reduce repeat sin sqrt stdev sumprod sys tan tau type_check_only variance`,
    ),
  ],
  [
    "heapq",
    words(
      `Callable Final Generator Iterable SupportsRichComparison TypeVar _S _T _heapify_max _heappop_max _heapreplace_max _siftdown _siftdown_max _siftup _siftup_max heapify heapify_max heappop heappop_max heappush heappush_max heappushpop heappushpop_max heapreplace heapreplace_max merge nlargest nsmallest overload sys`,
    ),
  ],
  [
    "bisect",
    words(
      `Callable MutableSequence SupportsGetItem SupportsLenAndGetItem SupportsRichComparisonT TypeVar _T bisect bisect_left bisect_right insort insort_left insort_right overload`,
    ),
  ],
  [
    "platform",
    words(
      `AndroidVer IOSVersionInfo NamedTuple Self _Processor _WIN32_CLIENT_RELEASES _WIN32_SERVER_RELEASES _comparable_version _component_re _default_architecture _follow_symlinks _get_machine_win32 _ironpython26_sys_version_parser _ironpython_sys_version_parser _java_getprop _libc_search _mac_ver_xml _node _norm_version _os_release_cache _os_release_candidates _os_release_line _os_release_unescape _parse_os_release _platform _platform_cache _pypy_sys_version_parser _sys_version _sys_version_cache _sys_version_parser _syscmd_file _syscmd_uname _syscmd_ver _uname_cache _uname_result_base _unknown_as_blank _ver_output _ver_stages _win32_ver _wmi _wmi_query android_ver architecture collections deprecated disjoint_base freedesktop_os_release functools invalidate_caches ios_ver itertools java_ver libc_ver mac_ver machine node os platform processor python_branch python_build python_compiler python_implementation python_revision python_version python_version_tuple re release subprocess sys system system_alias type_check_only uname uname_result version win32_edition win32_is_iot win32_ver`,
    ),
  ],
  [
    "argparse",
    words(
      `Action Any ArgumentDefaultsHelpFormatter ArgumentError ArgumentParser ArgumentTypeError BooleanOptionalAction Callable ClassVar FileType Final Generator Generic HelpFormatter IO Iterable MetavarTypeHelpFormatter Namespace NoReturn ONE_OR_MORE OPTIONAL PARSER Pattern Protocol REMAINDER RawDescriptionHelpFormatter RawTextHelpFormatter SUPPRESS Self Sequence SupportsWrite TypeAlias TypeVar ZERO_OR_MORE _ _ActionT _ActionType _ActionsContainer _AppendAction _AppendConstAction _ArgumentGroup _ArgumentParserT _AttributeHolder _CountAction _ExtendAction _FormatterClass _HelpAction _MutuallyExclusiveGroup _N _StoreAction _StoreConstAction _StoreFalseAction _StoreTrueAction _SubParsersAction _T _UNRECOGNIZED_ARGS_ATTR _VersionAction _copy_items _deprecated_default _get_action_name _os _re _shutil _sys deprecated ngettext overload sentinel sys type_check_only warnings`,
    ),
  ],
  [
    "secrets",
    words(
      `DEFAULT_ENTROPY Final SupportsLenAndGetItem SystemRandom TypeVar _T _sysrand base64 binascii choice compare_digest os randbelow randbits token_bytes token_hex token_urlsafe`,
    ),
  ],
  [
    "decimal",
    words(
      `Any BasicContext Clamped ClassVar Container Context ConversionSyntax Decimal DecimalException DecimalTuple DefaultContext DivisionByZero DivisionImpossible DivisionUndefined ExtendedContext FloatOperation HAVE_CONTEXTVAR HAVE_THREADS IEEEContext IEEE_CONTEXT_MAX_BITS Inexact InvalidContext InvalidOperation Literal MAX_EMAX MAX_PREC MIN_EMIN MIN_ETINY NamedTuple Overflow ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP Rounded SPEC_VERSION Self Sequence Subnormal TracebackType TypeAlias Underflow _ComparableNum _ContextManager _Decimal _DecimalNew _TrapType disjoint_base final getcontext localcontext numbers overload setcontext sys type_check_only`,
    ),
  ],
  [
    "fractions",
    words(
      `Any Callable Decimal Fraction Literal Protocol Rational Real Self SupportsIndex TypeAlias _ComparableNum _ConvertibleToIntegerRatio _FLOAT_FORMAT_SPECIFICATION_MATCHER _GENERAL_FORMAT_SPECIFICATION_MATCHER _PyHASH_INF _PyHASH_MODULUS _RATIONAL_FORMAT _gcd _hash_algorithm _round_to_exponent _round_to_figures functools gcd math numbers operator overload re sys type_check_only`,
    ),
  ],
  [
    "zipfile",
    words(
      `BZIP2_VERSION BadZipFile BadZipfile Callable CompleteDirs DEFAULT_VERSION FastLookup Final IO Iterable Iterator LZMACompressor LZMADecompressor LZMA_VERSION LargeZipFile Literal MAX_EXTRACT_VERSION Path PathLike Protocol PyZipFile Self SizedBuffer StrOrBytesPath StrPath TextIOWrapper TracebackType TypeAlias ZIP64_LIMIT ZIP64_VERSION ZIP_BZIP2 ZIP_DEFLATED ZIP_FILECOUNT_LIMIT ZIP_LZMA ZIP_MAX_COMMENT ZIP_STORED ZIP_ZSTANDARD ZSTANDARD_VERSION ZipExtFile ZipFile ZipInfo _CD64_CREATE_VERSION _CD64_DIRECTORY_RECSIZE _CD64_DIRECTORY_SIZE _CD64_DISK_NUMBER _CD64_DISK_NUMBER_START _CD64_EXTRACT_VERSION _CD64_NUMBER_ENTRIES_THIS_DISK _CD64_NUMBER_ENTRIES_TOTAL _CD64_OFFSET_START_CENTDIR _CD64_SIGNATURE _CD_COMMENT_LENGTH _CD_COMPRESSED_SIZE _CD_COMPRESS_TYPE _CD_CRC _CD_CREATE_SYSTEM _CD_CREATE_VERSION _CD_DATE _CD_DISK_NUMBER_START _CD_EXTERNAL_FILE_ATTRIBUTES _CD_EXTRACT_SYSTEM _CD_EXTRACT_VERSION _CD_EXTRA_FIELD_LENGTH _CD_FILENAME_LENGTH _CD_FLAG_BITS _CD_INTERNAL_FILE_ATTRIBUTES _CD_LOCAL_HEADER_OFFSET _CD_SIGNATURE _CD_TIME _CD_UNCOMPRESSED_SIZE _ClosableZipStream _DD_SIGNATURE _DateTuple _ECD_COMMENT _ECD_COMMENT_SIZE _ECD_DISK_NUMBER _ECD_DISK_START _ECD_ENTRIES_THIS_DISK _ECD_ENTRIES_TOTAL _ECD_LOCATION _ECD_OFFSET _ECD_SIGNATURE _ECD_SIZE _EXTRA_FIELD_STRUCT _EndRecData _EndRecData64 _Extra _FH_COMPRESSED_SIZE _FH_COMPRESSION_METHOD _FH_CRC _FH_EXTRACT_SYSTEM _FH_EXTRACT_VERSION _FH_EXTRA_FIELD_LENGTH _FH_FILENAME_LENGTH _FH_GENERAL_PURPOSE_FLAG_BITS _FH_LAST_MOD_DATE _FH_LAST_MOD_TIME _FH_SIGNATURE _FH_UNCOMPRESSED_SIZE _MASK_COMPRESSED_PATCH _MASK_COMPRESS_OPTION_1 _MASK_ENCRYPTED _MASK_STRONG_ENCRYPTION _MASK_USE_DATA_DESCRIPTOR _MASK_UTF_FILENAME _ReadWriteMode _SharedFile _SupportsReadSeekTell _Tellable _Writer _ZipDecrypter _ZipFileMode _ZipReadable _ZipReadableTellable _ZipStream _ZipTellable _ZipWritable _ZipWriteFile _ancestry _check_compression _check_zipfile _crctable _dedupe _difference _extract_text_encoding _gen_crc _get_compressor _get_decompressor _parents _path _sanitize_filename _strip_extra binascii bz2 compressor_names contextlib crc32 error functools importlib io is_zipfile itertools lzma main os overload pathlib posixpath shutil sizeCentralDir sizeEndCentDir sizeEndCentDir64 sizeEndCentDir64Locator sizeFileHeader stat stringCentralDir stringEndArchive stringEndArchive64 stringEndArchive64Locator stringFileHeader struct structCentralDir structEndArchive structEndArchive64 structEndArchive64Locator structFileHeader sys threading time type_check_only zlib`,
    ),
  ],
  [
    "tarfile",
    words(
      `AREGTYPE AbsoluteLinkError AbsolutePathError BLKTYPE BLOCKSIZE CHRTYPE CONTTYPE Callable ClassVar CompressionError DEFAULT_FORMAT DIRTYPE ENCODING EOFHeaderError EmptyHeaderError ExFileObject ExtractError FIFOTYPE FilterError Final GNUTYPE_LONGLINK GNUTYPE_LONGNAME GNUTYPE_SPARSE GNU_FORMAT GNU_MAGIC GNU_TYPES HeaderError IO InvalidHeaderError Iterable Iterator LENGTH_LINK LENGTH_NAME LENGTH_PREFIX LNKTYPE LinkFallbackError LinkOutsideDestinationError Literal Mapping NUL OutsideDestinationError PAX_FIELDS PAX_FORMAT PAX_NAME_FIELDS PAX_NUMBER_FIELDS POSIX_MAGIC Protocol RECORDSIZE REGTYPE REGULAR_TYPES ReadError ReadableBuffer SOLARIS_XHDTYPE SUPPORTED_TYPES SYMTYPE Self SpecialFileError StrOrBytesPath StrPath StreamError SubsequentHeaderError SupportsRead TarError TarFile TarInfo TracebackType TruncatedHeaderError TypeAlias USTAR_FORMAT WriteableBuffer XGLTYPE XHDTYPE ZstdDict _Bz2ReadableFileobj _Bz2WritableFileobj _FileInFile _Fileobj _FilterFunction _GzipReadableFileobj _GzipWritableFileobj _KEEP _LowLevelFile _NAMED_FILTERS _Stream _StreamProxy _TarFormat _TarfileFilter _get_filtered_attrs _header_length_prefix_re _list _safe_print bltn_open bz2 calc_chksums copy copyfileobj data_filter deprecated fully_trusted_filter grp io is_tarfile itn main nti nts open os overload pwd re shutil stat stn struct symlink_exception sys tar_filter time type_check_only version warnings`,
    ),
  ],
  [
    "pickle",
    words(
      `ADDITEMS APPEND APPENDS Any BINBYTES BINBYTES8 BINFLOAT BINGET BININT BININT1 BININT2 BINPERSID BINPUT BINSTRING BINUNICODE BINUNICODE8 BUILD BYTEARRAY8 Callable ClassVar DEFAULT_PROTOCOL DICT DUP EMPTY_DICT EMPTY_LIST EMPTY_SET EMPTY_TUPLE EXT1 EXT2 EXT4 FALSE FLOAT FRAME FROZENSET Final FunctionType GET GLOBAL HIGHEST_PROTOCOL INST INT Iterable LIST LONG LONG1 LONG4 LONG_BINGET LONG_BINPUT MARK MEMOIZE Mapping NEWFALSE NEWOBJ NEWOBJ_EX NEWTRUE NEXT_BUFFER NONE OBJ PERSID POP POP_MARK PROTO PUT PickleBuffer PickleError Pickler PicklingError PyStringMap READONLY_BUFFER REDUCE ReadableBuffer SETITEM SETITEMS SHORT_BINBYTES SHORT_BINSTRING SHORT_BINUNICODE STACK_GLOBAL STOP STRING Self SupportsBytes SupportsIndex SupportsWrite TRUE TUPLE TUPLE1 TUPLE2 TUPLE3 UNICODE Unpickler UnpicklingError _BufferCallback _Framer _HAVE_PICKLE_BUFFER _NoValue _Pickler _ReadableFileobj _ReducedType _Stop _Unframer _Unpickler _compat_pickle _dump _dumps _extension_cache _extension_registry _getattribute _inverted_registry _load _loads _test _tuplesize2code bytes_types codecs compatible_formats decode_long dispatch_table dump dumps encode_long final format_version io islice load loads maxsize pack partial re sys unpack whichmodule`,
    ),
  ],
  [
    "sqlite3",
    words(
      `Any Binary Blob Callable Connection Cursor DataError DatabaseError Date DateFromTicks Error Generator IntegrityError InterfaceError InternalError Iterable Iterator LEGACY_TRANSACTION_CONTROL Literal Mapping MaybeNone NotSupportedError OperationalError OptimizedUnicode PARSE_COLNAMES PARSE_DECLTYPES PrepareProtocol ProgrammingError Protocol ReadableBuffer Row SQLITE_ABORT SQLITE_ABORT_ROLLBACK SQLITE_ALTER_TABLE SQLITE_ANALYZE SQLITE_ATTACH SQLITE_AUTH SQLITE_AUTH_USER SQLITE_BUSY SQLITE_BUSY_RECOVERY SQLITE_BUSY_SNAPSHOT SQLITE_BUSY_TIMEOUT SQLITE_CANTOPEN SQLITE_CANTOPEN_CONVPATH SQLITE_CANTOPEN_DIRTYWAL SQLITE_CANTOPEN_FULLPATH SQLITE_CANTOPEN_ISDIR SQLITE_CANTOPEN_NOTEMPDIR SQLITE_CANTOPEN_SYMLINK SQLITE_CONSTRAINT SQLITE_CONSTRAINT_CHECK SQLITE_CONSTRAINT_COMMITHOOK SQLITE_CONSTRAINT_FOREIGNKEY SQLITE_CONSTRAINT_FUNCTION SQLITE_CONSTRAINT_NOTNULL SQLITE_CONSTRAINT_PINNED SQLITE_CONSTRAINT_PRIMARYKEY SQLITE_CONSTRAINT_ROWID SQLITE_CONSTRAINT_TRIGGER SQLITE_CONSTRAINT_UNIQUE SQLITE_CONSTRAINT_VTAB SQLITE_CORRUPT SQLITE_CORRUPT_INDEX SQLITE_CORRUPT_SEQUENCE SQLITE_CORRUPT_VTAB SQLITE_CREATE_INDEX SQLITE_CREATE_TABLE SQLITE_CREATE_TEMP_INDEX SQLITE_CREATE_TEMP_TABLE SQLITE_CREATE_TEMP_TRIGGER SQLITE_CREATE_TEMP_VIEW SQLITE_CREATE_TRIGGER SQLITE_CREATE_VIEW SQLITE_CREATE_VTABLE SQLITE_DBCONFIG_DEFENSIVE SQLITE_DBCONFIG_DQS_DDL SQLITE_DBCONFIG_DQS_DML SQLITE_DBCONFIG_ENABLE_FKEY SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION SQLITE_DBCONFIG_ENABLE_QPSG SQLITE_DBCONFIG_ENABLE_TRIGGER SQLITE_DBCONFIG_ENABLE_VIEW SQLITE_DBCONFIG_LEGACY_ALTER_TABLE SQLITE_DBCONFIG_LEGACY_FILE_FORMAT SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE SQLITE_DBCONFIG_RESET_DATABASE SQLITE_DBCONFIG_TRIGGER_EQP SQLITE_DBCONFIG_TRUSTED_SCHEMA SQLITE_DBCONFIG_WRITABLE_SCHEMA SQLITE_DELETE SQLITE_DENY SQLITE_DETACH SQLITE_DONE SQLITE_DROP_INDEX SQLITE_DROP_TABLE SQLITE_DROP_TEMP_INDEX SQLITE_DROP_TEMP_TABLE SQLITE_DROP_TEMP_TRIGGER SQLITE_DROP_TEMP_VIEW SQLITE_DROP_TRIGGER SQLITE_DROP_VIEW SQLITE_DROP_VTABLE SQLITE_EMPTY SQLITE_ERROR SQLITE_ERROR_MISSING_COLLSEQ SQLITE_ERROR_RETRY SQLITE_ERROR_SNAPSHOT SQLITE_FORMAT SQLITE_FULL SQLITE_FUNCTION SQLITE_IGNORE SQLITE_INSERT SQLITE_INTERNAL SQLITE_INTERRUPT SQLITE_IOERR SQLITE_IOERR_ACCESS SQLITE_IOERR_AUTH SQLITE_IOERR_BEGIN_ATOMIC SQLITE_IOERR_BLOCKED SQLITE_IOERR_CHECKRESERVEDLOCK SQLITE_IOERR_CLOSE SQLITE_IOERR_COMMIT_ATOMIC SQLITE_IOERR_CONVPATH SQLITE_IOERR_CORRUPTFS SQLITE_IOERR_DATA SQLITE_IOERR_DELETE SQLITE_IOERR_DELETE_NOENT SQLITE_IOERR_DIR_CLOSE SQLITE_IOERR_DIR_FSYNC SQLITE_IOERR_FSTAT SQLITE_IOERR_FSYNC SQLITE_IOERR_GETTEMPPATH SQLITE_IOERR_LOCK SQLITE_IOERR_MMAP SQLITE_IOERR_NOMEM SQLITE_IOERR_RDLOCK SQLITE_IOERR_READ SQLITE_IOERR_ROLLBACK_ATOMIC SQLITE_IOERR_SEEK SQLITE_IOERR_SHMLOCK SQLITE_IOERR_SHMMAP SQLITE_IOERR_SHMOPEN SQLITE_IOERR_SHMSIZE SQLITE_IOERR_SHORT_READ SQLITE_IOERR_TRUNCATE SQLITE_IOERR_UNLOCK SQLITE_IOERR_VNODE SQLITE_IOERR_WRITE SQLITE_KEYWORDS SQLITE_LIMIT_ATTACHED SQLITE_LIMIT_COLUMN SQLITE_LIMIT_COMPOUND_SELECT SQLITE_LIMIT_EXPR_DEPTH SQLITE_LIMIT_FUNCTION_ARG SQLITE_LIMIT_LENGTH SQLITE_LIMIT_LIKE_PATTERN_LENGTH SQLITE_LIMIT_SQL_LENGTH SQLITE_LIMIT_TRIGGER_DEPTH SQLITE_LIMIT_VARIABLE_NUMBER SQLITE_LIMIT_VDBE_OP SQLITE_LIMIT_WORKER_THREADS SQLITE_LOCKED SQLITE_LOCKED_SHAREDCACHE SQLITE_LOCKED_VTAB SQLITE_MISMATCH SQLITE_MISUSE SQLITE_NOLFS SQLITE_NOMEM SQLITE_NOTADB SQLITE_NOTFOUND SQLITE_NOTICE SQLITE_NOTICE_RECOVER_ROLLBACK SQLITE_NOTICE_RECOVER_WAL SQLITE_OK SQLITE_OK_LOAD_PERMANENTLY SQLITE_OK_SYMLINK SQLITE_PERM SQLITE_PRAGMA SQLITE_PROTOCOL SQLITE_RANGE SQLITE_READ SQLITE_READONLY SQLITE_READONLY_CANTINIT SQLITE_READONLY_CANTLOCK SQLITE_READONLY_DBMOVED SQLITE_READONLY_DIRECTORY SQLITE_READONLY_RECOVERY SQLITE_READONLY_ROLLBACK SQLITE_RECURSIVE SQLITE_REINDEX SQLITE_ROW SQLITE_SAVEPOINT SQLITE_SCHEMA SQLITE_SELECT SQLITE_TOOBIG SQLITE_TRANSACTION SQLITE_UPDATE SQLITE_WARNING SQLITE_WARNING_AUTOINDEX Self Sequence StrOrBytesPath SupportsIndex SupportsLenAndGetItem Time TimeFromTicks Timestamp TimestampFromTicks TracebackType TypeAlias TypeVar Unused Warning _AdaptedInputData _AggregateProtocol _AnyParamWindowAggregateClass _CursorT _IsolationLevel _Parameters _RowFactoryOptions _SingleParamWindowAggregateClass _SqliteData _Statement _WindowAggregateClass _deprecated_names _deprecated_version _deprecated_version_info adapt adapters apilevel collections complete_statement connect converters datetime dbapi2 disjoint_base dump enable_callback_tracebacks enable_shared_cache final overload paramstyle register_adapter register_converter sqlite_version sqlite_version_info sys threadsafety time type_check_only version version_info`,
    ),
  ],
  [
    "html",
    words(
      `_charref _html5 _invalid_charrefs _invalid_codepoints _re _replace_charref entities escape parser re unescape`,
    ),
  ],
  [
    "queue",
    words(
      `Any Condition Empty Full Generic GenericAlias LifoQueue Lock PriorityQueue Queue ShutDown SimpleQueue SupportsRichComparisonT TypeVar _PySimpleQueue _T deque heappop heappush sys threading time types`,
    ),
  ],
  [
    "signal",
    words(
      `Any CTRL_BREAK_EVENT CTRL_C_EVENT Callable Final FrameType Handlers ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL IntEnum Iterable ItimerError NSIG Never SIGABRT SIGALRM SIGBREAK SIGBUS SIGCHLD SIGCLD SIGCONT SIGEMT SIGFPE SIGHUP SIGILL SIGINFO SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIG_BLOCK SIG_DFL SIG_IGN SIG_SETMASK SIG_UNBLOCK Sigmasks Signals TypeAlias _HANDLER _IntEnum _SIGNUM _enum_to_int _int_to_enum _signal alarm default_int_handler final getitimer getsignal pause pidfd_send_signal pthread_kill pthread_sigmask raise_signal set_wakeup_fd setitimer siginterrupt signal sigpending sigtimedwait sigwait sigwaitinfo strsignal struct_siginfo structseq sys valid_signals`,
    ),
  ],
  [
    "traceback",
    words(
      `ANSIColors Any BUILTIN_EXCEPTION_LIMIT ClassVar FrameSummary FrameType Generator Iterable Iterator Literal Mapping Self StackSummary SupportsIndex SupportsWrite TracebackException TracebackType TypeAlias Unused _Anchors _CASE_COST _ExceptionPrintContext _FrameSummaryTuple _MAX_CANDIDATE_ITEMS _MAX_STRING_SIZE _MOVE_COST _RECURSIVE_CUTOFF _Sentinel _WIDE_CHAR_SPECIFIERS _byte_offset_to_character_offset _cause_message _colorize _compute_suggestion_error _context_message _display_width _extract_caret_anchors_from_line_segment _format_final_exc_line _get_code_position _levenshtein_distance _parse_value_tb _print_exception_bltin _safe_string _sentinel _some_str _substitution_cost _walk_tb_with_full_positions clear_frames collections deprecated extract_stack extract_tb format_exc format_exception format_exception_only format_list format_stack format_tb itertools linecache overload print_exc print_exception print_last print_list print_stack print_tb suppress sys textwrap walk_stack walk_tb warnings`,
    ),
  ],
  [
    "warnings",
    words(
      `Any Generic Literal LiteralString ModuleType Sequence TextIO TracebackType TypeAlias TypeVar WarningMessage _ActionKind _DEPRECATED_MSG _OptionError _T _W_co _add_filter _defaultaction _deprecated _filters_mutated _formatwarning_orig _formatwarnmsg _formatwarnmsg_impl _getaction _getcategory _is_filename_to_skip _is_internal_filename _is_internal_frame _next_external_frame _onceregistry _processoptions _setoption _showwarning_orig _showwarnmsg _showwarnmsg_impl _warn_unawaited_coroutine catch_warnings defaultaction deprecated filters filterwarnings formatwarning onceregistry overload re resetwarnings showwarning simplefilter sys warn warn_explicit`,
    ),
  ],
  [
    "types",
    words(
      `AnnotateFunc AnnotationForm Any AsyncGenerator AsyncGeneratorType Awaitable BuiltinFunctionType BuiltinMethodType Callable CapsuleType CellType ClassMethodDescriptorType ClassVar CodeType Coroutine CoroutineType DynamicClassAttribute EllipsisType FrameLocalsProxyType FrameType FunctionType Generator GeneratorType GenericAlias GetSetDescriptorType ItemsView Iterable Iterator KeysView LambdaType LazyImportType Literal LoaderProtocol Mapping MappingProxyType MaybeNone MemberDescriptorType MethodDescriptorType MethodType MethodWrapperType ModuleSpec ModuleType MutableMapping MutableSequence NoneType NotImplementedType ParamSpec Self SimpleNamespace SupportsKeysAndGetItem TracebackType TypeAliasType TypeVar TypeVarTuple UnionType ValuesView WrapperDescriptorType _Fn _GeneratorWrapper _KT_co _P _R _ReturnT_co _ReturnT_nd_co _SendT_contra _SendT_nd_contra _T1 _T2 _VT_co _YieldT_co _calculate_meta _cell_factory coroutine deprecated disjoint_base final get_original_bases new_class overload prepare_class resolve_bases sys`,
    ),
  ],
  [
    "typing",
    words(
      `ABCMeta AbstractAsyncContextManager AbstractContextManager AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable AwaitableGenerator BinaryIO BuiltinFunctionType ByteString CT_co Callable ChainMap ClassVar CodeType Collection Concatenate Container ContextManager Coroutine Counter DefaultDict Deque Dict EXCLUDED_ATTRIBUTES EvaluateFunc Final Format ForwardRef FrozenSet FunctionType Generator Generic GenericAlias Hashable IO IdentityFunction ItemsView Iterable Iterator KT KeysView List Literal LiteralString Mapping MappingView Match MethodDescriptorType MethodType MethodWrapperType ModuleType MutableMapping MutableSequence MutableSet NamedTuple NamedTupleMeta Never NewType NoDefault NoExtraItems NoReturn NotRequired Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol ReadOnly ReadableBuffer Required Reversible Self Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsGetItem SupportsGetItemViewable SupportsIndex SupportsInt SupportsKeysAndGetItem SupportsRound T TYPE_CHECKING T_co T_contra Text TextIO TracebackType Tuple Type TypeAlias TypeAliasType TypeForm TypeGuard TypeIs TypeVar TypeVarTuple TypedDict Union UnionType Unpack VT VT_co V_co ValuesView Viewable WrapperDescriptorType _ASSERT_NEVER_REPR_MAX_LENGTH _Alias _AnnotatedAlias _AnyMeta _BaseGenericAlias _BoundVarianceMixin _CallableGenericAlias _CallableType _ConcatenateGenericAlias _ContainerT_contra _DeprecatedGenericAlias _DeprecatedType _F _FT _Final _Func _Generic _GenericAlias _IdentityCallable _Immutable _KT _KT_co _LiteralGenericAlias _LiteralSpecialForm _NamedTuple _Never _NoDefaultType _NoExtraItemsType _NotIterable _P _PROTO_ALLOWLIST _PROTO_WHITELIST _PickleUsingNameMixin _ProtocolMeta _ReturnT_co _ReturnT_nd_co _S _SPECIAL_NAMES _SendT_contra _SendT_nd_contra _Sentinel _SpecialForm _SpecialGenericAlias _T _TC _TYPING_INTERNALS _T_co _TupleType _TypeParameter _TypeVarLike _TypedCacheSpecialForm _TypedDict _TypedDictMeta _TypingEllipsis _TypingEmpty _UnionGenericAlias _UnpackGenericAlias _VT _VT_co _VariadicGenericAlias _YieldT_co _abc_instancecheck _abc_subclasscheck _alias _allow_reckless_class_checks _allow_reckless_class_cheks _allowed_types _caches _caller _check_fails _check_generic _check_generic_specialization _cleanups _collect_parameters _collect_type_parameters _collect_type_vars _compare_args_orderless _deduplicate _deduplicate_unhashable _deprecation_warning_for_no_type_params_passed _dict_new _eval_type _flatten_literal_params _generic_class_getitem _generic_init_subclass _get_defaults _get_protocol_attrs _get_type_hints_obj_allowed_types _get_typeddict_qualifiers _idfunc _is_callable_members_only _is_dunder _is_param_expr _is_typevar_like _is_unpacked_typevartuple _lazy_load_getattr_static _make_nmtuple _make_union _namedtuple_mro_entries _no_init _no_init_or_replace_init _normalize_alias _overload_dummy _overload_registry _paramspec_prepare_subst _paramspec_subst _prepare_paramspec_params _prohibited _proto_hook _remove_dups_flatten _sentinel _should_unflatten_callable_args _special _strip_annotations _subs_tvars _tp_cache _type_check _type_check_issubclass_arg_1 _type_convert _type_repr _typeddict_new _typevar_subst _typevartuple_prepare_subst _unpack_args _value_and_type_iter abstractmethod assert_never assert_type cast clear_overloads collections contextlib copyreg dataclass_transform defaultdict deprecated dict_items dict_keys dict_values disjoint_base evaluate_forward_ref final functools get_args get_origin get_overloads get_protocol_members get_type_hints io is_protocol is_typeddict no_type_check no_type_check_decorator operator overload override re reveal_type runtime_checkable stdlib_re sys type_check_only types typing_extensions warnings`,
    ),
  ],
  [
    "enum",
    words(
      `Any CONFORM CONTINUOUS Callable DynamicClassAttribute EJECT Enum EnumCheck EnumDict EnumMeta EnumType Final Flag FlagBoundary Generic IntEnum IntFlag Iterable Iterator KEEP Literal Mapping MappingProxyType NAMED_FLAGS ReprEnum STRICT Self StrEnum SupportsIndex SupportsKeysAndGetItem TypeAlias TypeVar UNIQUE Unused _EnumDict _EnumMemberT _EnumNames _EnumerationT _IntEnumBase _Signature _auto_null _builtins_property _dataclass_repr _decompose _dedent _high_bit _is_descriptor _is_dunder _is_internal_class _is_private _is_single_bit _is_sunder _iter_bits_lsb _magic_enum_attr _make_class_unpicklable _not_given _old_convert_ _or_ _power_of_two _proto_member _reduce_ex_by_global_name _reduce_ex_by_name _simple_enum _stdlib_enums _test_simple_enum _typeshed auto bin bltns disjoint_base global_enum global_enum_repr global_flag_repr global_str member nonmember overload pickle_by_enum_name pickle_by_global_name property reduce show_flag_values sys types unique verify`,
    ),
  ],
  [
    "dataclasses",
    words(
      `Any Callable DataclassInstance Field Final FrozenInstanceError FunctionType Generic GenericAlias InitVar Iterable KW_ONLY Literal MISSING Mapping Never Protocol Type TypeIs TypeVar _ATOMIC_TYPES _DataclassFactory _DataclassParams _DataclassT _DefaultFactory _EMPTY_METADATA _FIELD _FIELDS _FIELD_BASE _FIELD_CLASSVAR _FIELD_INITVAR _FuncBuilder _HAS_DEFAULT_FACTORY _HAS_DEFAULT_FACTORY_CLASS _InitVarMeta _KW_ONLY_TYPE _MISSING_TYPE _MODULE_IDENTIFIER_RE _PARAMS _POST_INIT_NAME _T _T_co _add_slots _asdict_inner _astuple_inner _cmp_fn _create_fn _dataclass_getstate _dataclass_setstate _field_assign _field_init _fields_in_init_order _frozen_get_del_attr _get_field _get_slots _hash_action _hash_add _hash_exception _hash_fn _hash_set_none _init_fn _init_param _is_classvar _is_dataclass_instance _is_initvar _is_kw_only _is_type _process_class _recursive_repr _replace _repr_fn _set_new_attribute _set_qualname _thread _tuple_str abc asdict astuple builtins copy dataclass enum field fields functools inspect is_dataclass itertools keyword make_dataclass overload re recursive_repr replace sys type_check_only types`,
    ),
  ],
  [
    "unicodedata",
    words(
      `Final Iterator Literal ReadOnlyBuffer TypeAlias TypeVar UCD _EastAsianWidth _NormalizationForm _T _ucnhash_CAPI bidirectional block category combining decimal decomposition digit east_asian_width extended_pictographic final grapheme_cluster_break indic_conjunct_break is_normalized isxidcontinue isxidstart iter_graphemes lookup mirrored name normalize numeric overload sys ucd_3_2_0 ucnhash_CAPI unidata_version`,
    ),
  ],
  [
    "locale",
    words(
      `ABDAY_1 ABDAY_2 ABDAY_3 ABDAY_4 ABDAY_5 ABDAY_6 ABDAY_7 ABMON_1 ABMON_10 ABMON_11 ABMON_12 ABMON_2 ABMON_3 ABMON_4 ABMON_5 ABMON_6 ABMON_7 ABMON_8 ABMON_9 ALT_DIGITS AM_STR Any CHAR_MAX CODESET CRNCYSTR Callable DAY_1 DAY_2 DAY_3 DAY_4 DAY_5 DAY_6 DAY_7 D_FMT D_T_FMT Decimal ERA ERA_D_FMT ERA_D_T_FMT ERA_T_FMT Error Iterable LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME MON_1 MON_10 MON_11 MON_12 MON_2 MON_3 MON_4 MON_5 MON_6 MON_7 MON_8 MON_9 NOEXPR PM_STR RADIXCHAR THOUSEP T_FMT T_FMT_AMPM YESEXPR _append_modifier _build_localename _builtin_str _collections_abc _format _get_locale_encoding _getdefaultlocale _group _grouping_intervals _localeconv _localize _override_localeconv _parse_localename _percent_re _print_locale _replace_encoding _setlocale _str _strcoll _strip_padding _strxfrm _test atof atoi bind_textdomain_codeset bindtextdomain currency dcgettext delocalize deprecated dgettext encodings format format_string functools getdefaultlocale getencoding getlocale getpreferredencoding gettext k locale_alias locale_encoding_alias localeconv localize nl_langinfo normalize re resetlocale setlocale str strcoll strxfrm sys textdomain v windows_locale`,
    ),
  ],
  [
    "getpass",
    words(
      `GetPassWarning TextIO _raw_input contextlib fallback_getpass getpass getuser io os sys termios unix_getpass warnings win_getpass`,
    ),
  ],
  [
    "calendar",
    words(
      `APRIL AUGUST Calendar ClassVar DECEMBER Day EPOCH FEBRUARY FRIDAY February Final HTMLCalendar IllegalMonthError IllegalWeekdayError IntEnum Iterable Iterator JANUARY JULY JUNE January LocaleHTMLCalendar LocaleTextCalendar MARCH MAY MONDAY Month NOVEMBER OCTOBER SATURDAY SEPTEMBER SUNDAY THURSDAY TUESDAY TextCalendar TypeAlias Unused WEDNESDAY _EPOCH_ORD _LocaleType _colwidth _get_default_locale _locale _localized_day _localized_month _monthlen _nextmonth _prevmonth _spacing c calendar datetime day_abbr day_name different_locale enum error firstweekday format formatstring global_enum isleap leapdays main mdays month month_abbr month_name monthcalendar monthrange overload prcal prmonth prweek repeat setfirstweekday standalone_month_abbr standalone_month_name struct_time sys timegm warnings week weekday weekheader`,
    ),
  ],
  [
    "fnmatch",
    words(
      `AnyStr Iterable _compile_pattern _join_translated_parts _nextgroupnum _translate filter filterfalse fnmatch fnmatchcase functools os posixpath re sys translate`,
    ),
  ],
  [
    "gzip",
    words(
      `BadGzipFile BaseStream DecompressReader FCOMMENT FEXTRA FHCRC FNAME FTEXT FileIO Final GzipFile Literal Protocol READ READ_BUFFER_SIZE ReadableBuffer SizedBuffer StrOrBytesPath TextIOWrapper TypeAlias WRITE WriteableBuffer _COMPRESS_LEVEL_BEST _COMPRESS_LEVEL_FAST _COMPRESS_LEVEL_TRADEOFF _GzipReader _OpenTextMode _PaddedFile _ReadBinaryMode _ReadableFileobj _WRITE_BUFFER_SIZE _WritableFileobj _WriteBinaryMode _WriteBufferStream _compression _create_simple_gzip_header _read_exact _read_gzip_header builtins compress decompress deprecated io main open os overload struct sys time type_check_only write32u zlib`,
    ),
  ],
  [
    "zlib",
    words(
      `Any DEFLATED DEF_BUF_SIZE DEF_MEM_LEVEL Final MAX_WBITS ReadableBuffer Self ZLIBNG_VERSION ZLIB_RUNTIME_VERSION ZLIB_VERSION Z_BEST_COMPRESSION Z_BEST_SPEED Z_BLOCK Z_DEFAULT_COMPRESSION Z_DEFAULT_STRATEGY Z_FILTERED Z_FINISH Z_FIXED Z_FULL_FLUSH Z_HUFFMAN_ONLY Z_NO_COMPRESSION Z_NO_FLUSH Z_PARTIAL_FLUSH Z_RLE Z_SYNC_FLUSH Z_TREES _Compress _Decompress _ZlibDecompressor adler32 adler32_combine compress compressobj crc32 crc32_combine decompress decompressobj error final sys type_check_only`,
    ),
  ],
  [
    "bz2",
    words(
      `BZ2Compressor BZ2Decompressor BZ2File BaseStream IO Iterable Literal Protocol RLock ReadableBuffer Self StrOrBytesPath SupportsIndex TextIOWrapper TypeAlias WriteableBuffer _MODE_CLOSED _MODE_READ _MODE_WRITE _ReadBinaryMode _ReadTextMode _ReadableFileobj _Reader _WritableFileobj _WriteBinaryMode _WriteTextMode _builtin_open _compression _sentinel compress decompress io open os overload sys type_check_only warnings`,
    ),
  ],
  [
    "weakref",
    words(
      `Any Callable CallableProxyType ClassVar Generic GenericAlias Iterable Iterator KeyedRef Mapping MutableMapping ParamSpec ProxyType ProxyTypes ReferenceType Self SupportsKeysAndGetItem TypeVar WeakKeyDictionary WeakMethod WeakSet WeakValueDictionary _CallableT _IterationGuard _KT _P _T _T1 _T2 _VT _collections_abc _remove_dead_weakref disjoint_base final finalize getweakrefcount getweakrefs itertools overload proxy ref sys`,
    ),
  ],
  [
    "gc",
    words(
      `Any Callable DEBUG_COLLECTABLE DEBUG_LEAK DEBUG_SAVEALL DEBUG_STATS DEBUG_UNCOLLECTABLE Final Literal TypeAlias _CallbackType callbacks collect disable enable freeze garbage get_count get_debug get_freeze_count get_objects get_referents get_referrers get_stats get_threshold is_finalized is_tracked isenabled set_debug set_threshold unfreeze`,
    ),
  ],
  [
    "atexit",
    words(`Callable ParamSpec TypeVar _P _T _clear _ncallbacks _run_exitfuncs register unregister`),
  ],
  [
    "ast",
    words(
      `AST Add And AnnAssign Any Assert Assign AsyncFor AsyncFunctionDef AsyncWith Attribute AugAssign AugLoad AugStore Await BinOp BitAnd BitOr BitXor BoolOp Break Bytes Call ClassDef ClassVar Compare Constant Continue Del Delete Dict DictComp Div Ellipsis EllipsisType Eq ExceptHandler Expr Expression ExtSlice FloorDiv For FormattedValue FunctionDef FunctionType GeneratorExp Generic Global Gt GtE If IfExp Import ImportFrom In Index IntEnum Interactive Interpolation Invert Is IsNot Iterable Iterator JoinedStr LShift Lambda List ListComp Literal Load Lt LtE MatMult Match MatchAs MatchClass MatchMapping MatchOr MatchSequence MatchSingleton MatchStar MatchValue Mod Module Mult Name NameConstant NamedExpr NodeTransformer NodeVisitor Nonlocal Not NotEq NotIn Num Or Param ParamSpec Pass Pow PyCF_ALLOW_TOP_LEVEL_AWAIT PyCF_ONLY_AST PyCF_OPTIMIZED_AST PyCF_TYPE_COMMENTS RShift Raise ReadableBuffer Return Self Sequence Set SetComp Slice Starred Store Str Sub Subscript Suite TemplateStr Try TryStar Tuple TypeAlias TypeIgnore TypeVar TypeVarTuple TypedDict UAdd USub UnaryOp Unpack Unused While With Yield YieldFrom _ABC _ALL_QUOTES _Attributes _ConstantValue _DEPRECATED_CLASS_MESSAGE _DEPRECATED_VALUE_ALIAS_MESSAGE _EndPositionT _INFSTR _MULTI_QUOTES _Precedence _SINGLE_QUOTES _T _TypeVar _Unparser _ast_Ellipsis _const_node_type_names _const_types _const_types_not _deprecated_globals _dims_getter _dims_setter _getter _line_pattern _n_getter _n_setter _new _pad_whitespace _s_getter _s_setter _setter _simple_enum _splitlines_no_ff alias arg arguments ast auto boolop builtins cmpop compare comprehension contextmanager copy_location deprecated disjoint_base dump excepthandler expr expr_context fix_missing_locations get_docstring get_source_segment increment_lineno iter_child_nodes iter_fields keyword literal_eval main match_case mod nullcontext operator os overload parse pattern re slice stmt sys type_check_only type_ignore type_param typing_extensions unaryop unparse walk withitem`,
    ),
  ],
  [
    "difflib",
    words(
      `Any AnyStr Callable Differ Generic GenericAlias HtmlDiff IS_CHARACTER_JUNK IS_LINE_JUNK Iterable Iterator Literal Match NamedTuple Sequence SequenceMatcher TypeVar _T _calculate_ratio _check_types _file_template _format_range_context _format_range_unified _keep_original_ws _legend _mdiff _namedtuple _nlargest _styles _table_template _test context_diff diff_bytes get_close_matches ndiff overload re restore sys unified_diff`,
    ),
  ],
  [
    "pprint",
    words(
      `IO PrettyPrinter SupportsWrite _StringIO _builtin_scalars _collections _dataclasses _perfcheck _recursion _safe_key _safe_repr _safe_tuple _sys _types _wrap_bytes_repr deque isreadable isrecursive pformat pp pprint re saferepr sys`,
    ),
  ],
  [
    "asyncio",
    words(
      `ABCMeta ALL_COMPLETED AbstractChildWatcher AbstractEventLoop AbstractEventLoopPolicy AbstractServer AddressFamily AddressInfo Any AsyncIterator Awaitable Barrier BaseChildWatcher BaseDefaultEventLoopPolicy BaseEventLoop BaseProtocol BaseSelectorEventLoop BaseTransport BoundedSemaphore BrokenBarrierError BufferedProtocol CONNECT_PIPE_INIT_DELAY CONNECT_PIPE_MAX_DELAY Callable CancelledError ClassVar Collection Condition Context Coroutine DEVNULL DatagramProtocol DatagramTransport DefaultEventLoopPolicy ERROR_CONNECTION_ABORTED ERROR_CONNECTION_REFUSED Event EventLoop Executor FIRST_COMPLETED FIRST_EXCEPTION FastChildWatcher FileDescriptorLike Final FlowControlMixin FrameCallGraphEntry FrameType Future FutureCallGraph Generator Generic GenericAlias Handle INFINITE IO Incomplete IncompleteReadError InvalidStateError IocpProactor Iterable Iterator LifoQueue LimitOverrunError Literal Lock Mapping ModuleType MultiLoopChildWatcher NULL NoReturn PIPE ParamSpec PidfdChildWatcher PipeServer PriorityQueue ProactorEventLoop Process Protocol Queue QueueEmpty QueueFull QueueShutDown ReadTransport ReadableBuffer Runner STDOUT SafeChildWatcher SelectorEventLoop Self Semaphore SendfileNotAvailableError Sequence Server Sized SocketKind StrOrBytesPath StrPath StreamReader StreamReaderProtocol StreamWriter SubprocessProtocol SubprocessStreamProtocol SubprocessTransport SupportsIndex SupportsRichComparisonT SupportsWrite Task TaskGroup ThreadPoolExecutor ThreadedChildWatcher Timeout TimeoutError TimerHandle TracebackType Transport TypeAlias TypeGuard TypeIs TypeVar TypeVarTuple Unpack Unused WindowsProactorEventLoopPolicy WindowsSelectorEventLoopPolicy WriteTransport WriteableBuffer _AbstractEventLoopPolicy _Address _AwaitableLike _BarrierState _BaseDefaultEventLoopPolicy _ClientConnectedCallback _ConcurrentFuture _Context _ContextManagerMixin _CoroutineLike _CustomTaskConstructor _DefaultEventLoopPolicy _EagerTaskFactoryType _ExceptionHandler _FT _FlowControlMixin _FunctionT _FutureLike _LoopBoundMixin _P _ProtocolFactory _ProtocolT _R _ReaduntilBuffer _RetAddress _SSLContext _SyncAndAsyncIterator _T _T1 _T2 _T3 _T4 _T5 _T6 _T_co _TaskCompatibleCoro _TaskFactory _TaskT_co _TaskYieldType _Ts _UnixDefaultEventLoopPolicy _UnixSelectorEventLoop _WindowsProactorEventLoopPolicy _WindowsSelectorEventLoop _WindowsSelectorEventLoopPolicy _all_tasks_compat _enter_task _get_event_loop_policy _get_running_loop _leave_task _register_task _set_event_loop_policy _set_running_loop _unregister_task abstractmethod all_tasks as_completed base_events base_futures base_subprocess base_tasks capture_call_graph concurrent constants coroutine coroutines create_eager_task_factory create_subprocess_exec create_subprocess_shell create_task current_task dataclass deprecated deque eager_task_factory ensure_future enum events exceptions final format_call_graph format_helpers future_add_to_awaited_by future_discard_from_awaited_by futures gather get_child_watcher get_event_loop get_event_loop_policy get_running_loop graph iscoroutine iscoroutinefunction isfuture locks log mixins new_event_loop open_connection open_unix_connection overload print_call_graph proactor_events protocols queues run run_coroutine_threadsafe runners selector_events set_child_watcher set_event_loop set_event_loop_policy shield sleep socket ssl sslproto staggered start_server start_unix_server streams subprocess sys taskgroups tasks threads timeout timeout_at timeouts to_thread tools transports trsock type_check_only types unix_events wait wait_for windows_events windows_utils wrap_future`,
    ),
  ],
  [
    "stat",
    words(
      `FILE_ATTRIBUTE_ARCHIVE FILE_ATTRIBUTE_COMPRESSED FILE_ATTRIBUTE_DEVICE FILE_ATTRIBUTE_DIRECTORY FILE_ATTRIBUTE_ENCRYPTED FILE_ATTRIBUTE_HIDDEN FILE_ATTRIBUTE_INTEGRITY_STREAM FILE_ATTRIBUTE_NORMAL FILE_ATTRIBUTE_NOT_CONTENT_INDEXED FILE_ATTRIBUTE_NO_SCRUB_DATA FILE_ATTRIBUTE_OFFLINE FILE_ATTRIBUTE_READONLY FILE_ATTRIBUTE_REPARSE_POINT FILE_ATTRIBUTE_SPARSE_FILE FILE_ATTRIBUTE_SYSTEM FILE_ATTRIBUTE_TEMPORARY FILE_ATTRIBUTE_VIRTUAL Final IO_REPARSE_TAG_APPEXECLINK IO_REPARSE_TAG_MOUNT_POINT IO_REPARSE_TAG_SYMLINK SF_APPEND SF_ARCHIVED SF_DATALESS SF_FIRMLINK SF_IMMUTABLE SF_NOUNLINK SF_RESTRICTED SF_SETTABLE SF_SNAPSHOT SF_SUPPORTED SF_SYNTHETIC STATX_ATTR_APPEND STATX_ATTR_AUTOMOUNT STATX_ATTR_COMPRESSED STATX_ATTR_DAX STATX_ATTR_ENCRYPTED STATX_ATTR_IMMUTABLE STATX_ATTR_MOUNT_ROOT STATX_ATTR_NODUMP STATX_ATTR_VERITY STATX_ATTR_WRITE_ATOMIC ST_ATIME ST_CTIME ST_DEV ST_GID ST_INO ST_MODE ST_MTIME ST_NLINK ST_SIZE ST_UID S_ENFMT S_IEXEC S_IFBLK S_IFCHR S_IFDIR S_IFDOOR S_IFIFO S_IFLNK S_IFMT S_IFPORT S_IFREG S_IFSOCK S_IFWHT S_IMODE S_IREAD S_IRGRP S_IROTH S_IRUSR S_IRWXG S_IRWXO S_IRWXU S_ISBLK S_ISCHR S_ISDIR S_ISDOOR S_ISFIFO S_ISGID S_ISLNK S_ISPORT S_ISREG S_ISSOCK S_ISUID S_ISVTX S_ISWHT S_IWGRP S_IWOTH S_IWRITE S_IWUSR S_IXGRP S_IXOTH S_IXUSR UF_APPEND UF_COMPRESSED UF_DATAVAULT UF_HIDDEN UF_IMMUTABLE UF_NODUMP UF_NOUNLINK UF_OPAQUE UF_SETTABLE UF_TRACKED _filemode_table filemode sys`,
    ),
  ],
  [
    "errno",
    words(
      `E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EAUTH EBADARCH EBADE EBADEXEC EBADF EBADFD EBADMACHO EBADMSG EBADR EBADRPC EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDEVERR EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EFTYPE EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOCKUNMAPPED ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENEEDAUTH ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOATTR ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPOLICY ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTACTIVE ENOTBLK ENOTCAPABLE ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROCLIM EPROCUNAVAIL EPROGMISMATCH EPROGUNAVAIL EPROTO EPROTONOSUPPORT EPROTOTYPE EPWROFF EQFULL ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ERPCMISMATCH ESHLIBVERS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL Final Mapping WSABASEERR WSAEACCES WSAEADDRINUSE WSAEADDRNOTAVAIL WSAEAFNOSUPPORT WSAEALREADY WSAEBADF WSAECONNABORTED WSAECONNREFUSED WSAECONNRESET WSAEDESTADDRREQ WSAEDISCON WSAEDQUOT WSAEFAULT WSAEHOSTDOWN WSAEHOSTUNREACH WSAEINPROGRESS WSAEINTR WSAEINVAL WSAEISCONN WSAELOOP WSAEMFILE WSAEMSGSIZE WSAENAMETOOLONG WSAENETDOWN WSAENETRESET WSAENETUNREACH WSAENOBUFS WSAENOPROTOOPT WSAENOTCONN WSAENOTEMPTY WSAENOTSOCK WSAEOPNOTSUPP WSAEPFNOSUPPORT WSAEPROCLIM WSAEPROTONOSUPPORT WSAEPROTOTYPE WSAEREMOTE WSAESHUTDOWN WSAESOCKTNOSUPPORT WSAESTALE WSAETIMEDOUT WSAETOOMANYREFS WSAEUSERS WSAEWOULDBLOCK WSANOTINITIALISED WSASYSNOTREADY WSAVERNOTSUPPORTED errorcode sys`,
    ),
  ],
  [
    "shlex",
    words(
      `Iterable Literal Protocol Self StringIO TextIOWrapper _ShlexInstream _find_unsafe _print_tokens deprecated deque join os overload quote re shlex split sys type_check_only`,
    ),
  ],
  [
    "configparser",
    words(
      `Any AnyStr BasicInterpolation BytesPath Callable ClassVar ConfigParser ConverterMapping DEFAULTSECT DuplicateOptionError DuplicateSectionError Error ExtendedInterpolation Final GenericPath Interpolation InterpolationDepthError InterpolationError InterpolationMissingOptionError InterpolationSyntaxError InvalidWriteError ItemsView Iterable Iterator LegacyInterpolation Literal MAX_INTERPOLATION_DEPTH Mapping MaybeNone MissingSectionHeaderError MultilineContinuationError MutableMapping NoOptionError NoSectionError ParsingError Pattern RawConfigParser SafeConfigParser SectionProxy Sequence StrOrBytesPath StrPath SupportsWrite TypeAlias TypeVar UNNAMED_SECTION UnnamedSectionDisabledError _ChainMap _ConverterCallback _ConvertersMap _Line _Parser _ReadState _Section _SectionName _SectionNameList _T _UNNAMED_SECTION _UNSET _UnnamedSection _default_dict contextlib deprecated functools io itertools os overload re sys type_check_only types warnings`,
    ),
  ],
  [
    "timeit",
    words(
      `Any Callable IO Sequence Timer TypeAlias _Stmt _Timer _globals default_number default_repeat default_timer dummy_src_name gc itertools main reindent repeat sys template time timeit`,
    ),
  ],
  [
    "cProfile",
    words(
      `Any Callable CodeType Mapping ParamSpec Profile Self StrOrBytesPath TypeAlias TypeVar Unused _Label _P _T _lsprof _pyprofile importlib io label main run runctx sys`,
    ),
  ],
  ["keyword", words(`Final Sequence iskeyword issoftkeyword kwlist softkwlist`)],
  [
    "numbers",
    words(
      `ABCMeta ClassVar Complex Integral Literal Number Protocol Rational Real _ComplexLike _IntegralLike _RealLike abstractmethod overload type_check_only`,
    ),
  ],
  [
    "array",
    words(
      `Any ArrayType ClassVar GenericAlias Iterable Literal MutableSequence ReadableBuffer Self SupportsIndex SupportsRead SupportsWrite TypeAlias TypeVar _FloatTypeCode _IntTypeCode _T _TypeCode _UnicodeTypeCode _array_reconstructor array deprecated disjoint_base overload sys typecodes`,
    ),
  ],
  [
    "codecs",
    words(
      `Any BOM BOM32_BE BOM32_LE BOM64_BE BOM64_LE BOM_BE BOM_LE BOM_UTF16 BOM_UTF16_BE BOM_UTF16_LE BOM_UTF32 BOM_UTF32_BE BOM_UTF32_LE BOM_UTF8 BinaryIO BufferedIncrementalDecoder BufferedIncrementalEncoder Callable ClassVar Codec CodecInfo EncodedFile Final Generator IncrementalDecoder IncrementalEncoder Iterable Literal Protocol ReadableBuffer Self StreamReader StreamReaderWriter StreamRecoder StreamWriter TextIO TypeAlias _BufferedEncoding _BufferedIncrementalDecoder _BytesToBytesEncoding _CharMap _Decoder _Encoder _EncodingMap _Handler _IncrementalDecoder _IncrementalEncoder _ReadableStream _SearchFunction _StrToStrEncoding _Stream _StreamReader _StreamWriter _WritableStream _false abstractmethod ascii_decode ascii_encode backslashreplace_errors builtins charmap_build charmap_decode charmap_encode code_page_decode code_page_encode codecs decode deprecated disjoint_base encode escape_decode escape_encode final getdecoder getencoder getincrementaldecoder getincrementalencoder getreader getwriter ignore_errors iterdecode iterencode latin_1_decode latin_1_encode lookup lookup_error make_encoding_map make_identity_dict mbcs_decode mbcs_encode namereplace_errors oem_decode oem_encode open overload raw_unicode_escape_decode raw_unicode_escape_encode readbuffer_encode register register_error replace_errors strict_errors sys type_check_only types unicode_escape_decode unicode_escape_encode unregister utf_16_be_decode utf_16_be_encode utf_16_decode utf_16_encode utf_16_ex_decode utf_16_le_decode utf_16_le_encode utf_32_be_decode utf_32_be_encode utf_32_decode utf_32_encode utf_32_ex_decode utf_32_le_decode utf_32_le_encode utf_7_decode utf_7_encode utf_8_decode utf_8_encode xmlcharrefreplace_errors`,
    ),
  ],
  [
    "select",
    words(
      `Any ClassVar EPOLLERR EPOLLET EPOLLEXCLUSIVE EPOLLHUP EPOLLIN EPOLLMSG EPOLLONESHOT EPOLLOUT EPOLLPRI EPOLLRDBAND EPOLLRDHUP EPOLLRDNORM EPOLLWAKEUP EPOLLWRBAND EPOLLWRNORM EPOLL_CLOEXEC FileDescriptorLike Final Iterable KQ_EV_ADD KQ_EV_CLEAR KQ_EV_DELETE KQ_EV_DISABLE KQ_EV_ENABLE KQ_EV_EOF KQ_EV_ERROR KQ_EV_FLAG1 KQ_EV_ONESHOT KQ_EV_SYSFLAGS KQ_FILTER_AIO KQ_FILTER_NETDEV KQ_FILTER_PROC KQ_FILTER_READ KQ_FILTER_SIGNAL KQ_FILTER_TIMER KQ_FILTER_VNODE KQ_FILTER_WRITE KQ_NOTE_ATTRIB KQ_NOTE_CHILD KQ_NOTE_DELETE KQ_NOTE_EXEC KQ_NOTE_EXIT KQ_NOTE_EXTEND KQ_NOTE_FORK KQ_NOTE_LINK KQ_NOTE_LINKDOWN KQ_NOTE_LINKINV KQ_NOTE_LINKUP KQ_NOTE_LOWAT KQ_NOTE_PCTRLMASK KQ_NOTE_PDATAMASK KQ_NOTE_RENAME KQ_NOTE_REVOKE KQ_NOTE_TRACK KQ_NOTE_TRACKERR KQ_NOTE_WRITE Never PIPE_BUF POLLERR POLLHUP POLLIN POLLMSG POLLNVAL POLLOUT POLLPRI POLLRDBAND POLLRDHUP POLLRDNORM POLLWRBAND POLLWRNORM Self TracebackType TypeVar _R _W _X deprecated devpoll epoll error final kevent kqueue overload poll select sys`,
    ),
  ],
  [
    "mimetypes",
    words(
      `IO Iterable MimeTypes StrPath _common_types_default _db _default_mime_types _encodings_map_default _main _mimetypes_read_windows_registry _suffix_map_default _types_map_default _winreg add_type common_types encodings_map guess_all_extensions guess_extension guess_file_type guess_type init inited knownfiles os posixpath read_mime_types suffix_map sys types_map urllib`,
    ),
  ],
  [
    "webbrowser",
    words(
      `BackgroundBrowser BaseBrowser Callable Chrome Chromium Edge Elinks Epiphany Error Galeon GenericBrowser Grail Konqueror Literal MacOSX MacOSXOSAScript Mozilla Netscape Opera Sequence UnixBrowser WindowsDefault _browsers _lock _os_preferred_browser _synthesize _tryorder abstractmethod deprecated get main open open_new open_new_tab os parse_args register register_X_browsers register_standard_browsers shlex shutil subprocess sys threading warnings`,
    ),
  ],
  [
    "ipaddress",
    words(
      `AddressValueError Any Final Generic IPV4LENGTH IPV6LENGTH IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network Iterable Iterator Literal NetmaskValueError Self TypeAlias TypeVar _A _BaseAddress _BaseConstants _BaseNetwork _BaseV4 _BaseV6 _IPAddressBase _IPv4Constants _IPv6Constants _N _RawIPAddress _RawNetworkPart _address_fmt_re _collapse_addresses_internal _count_righthand_zero_bits _find_address_range _split_optional_netmask collapse_addresses functools get_mixed_type_key ip_address ip_interface ip_network overload summarize_address_range sys v4_int_to_packed v6_int_to_packed`,
    ),
  ],
  [
    "binascii",
    words(
      `ASCII85_ALPHABET BASE32HEX_ALPHABET BASE32_ALPHABET BASE64_ALPHABET BASE85_ALPHABET BINHEX_ALPHABET CRYPT_ALPHABET Error Incomplete ReadableBuffer TypeAlias URLSAFE_BASE64_ALPHABET UU_ALPHABET Z85_ALPHABET _AsciiBuffer a2b_ascii85 a2b_base32 a2b_base64 a2b_base85 a2b_hex a2b_hqx a2b_qp a2b_uu b2a_ascii85 b2a_base32 b2a_base64 b2a_base85 b2a_hex b2a_hqx b2a_qp b2a_uu crc32 crc_hqx deprecated hexlify rlecode_hqx rledecode_hqx sys unhexlify`,
    ),
  ],
  [
    "graphlib",
    words(
      `Any CycleError Generic GenericAlias Iterable SupportsItems TopologicalSorter TypeVar _NODE_DONE _NODE_OUT _NodeInfo _T overload sys`,
    ),
  ],
  [
    "zoneinfo",
    words(
      `InvalidTZPathWarning Iterable Self TZPATH ZoneInfo ZoneInfoNotFoundError _IOBytes _common _tzpath available_timezones datetime disjoint_base reset_tzpath sys timedelta tzinfo`,
    ),
  ],
  [
    "tomllib",
    words(
      `Any Callable SupportsRead TOMLDecodeError _parser _re _types deprecated load loads overload sys`,
    ),
  ],
]);
