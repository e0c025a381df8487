! S09: Fortran opens with POSITION='APPEND' for every record, after an INQUIRE whether the file is there.
! By name it asks three times a record itself; the append may cost one call more.
!: file a.tr managed opens=500 real_opens<=3
!: calls a.tr <= 2020
program main
  implicit none
  integer :: i, status
  logical :: there
  do i = 1, 500
    inquire (file='a.tr', exist=there)
    if (there .neqv. (i > 1)) print *, 'record', i, 'exist', there
    open (unit=10, file='a.tr', position='append', iostat=status)
    if (status /= 0) print *, 'record', i, 'open', status
    write (10, '(I6,F12.5,I8)') i, i / 7.0, i * 37
    close (10, iostat=status)
    if (status /= 0) print *, 'record', i, 'close', status
  end do
  inquire (file='a.tr', exist=there, size=i)
  print *, there, i
end program main
